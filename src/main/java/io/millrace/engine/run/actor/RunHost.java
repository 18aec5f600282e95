package io.millrace.engine.run.actor;

import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunWriter;
import io.millrace.engine.run.admission.RunAdmission;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.engine.run.journal.Slices;
import io.millrace.engine.run.machine.RunLife;
import io.millrace.engine.run.step.StepEnvironment;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Services of a shard for its runs, by their purpose. {@link RunPerformer} passes each part of a run the component that it
 * reads.
 */
public record RunHost(
        RunClock clock,
        StepEnvironment environment,
        RunLimits limits,
        Storage storage,
        Ownership ownership,
        Notices notices) {
    /**
     * Recording of runs.
     *
     * @param slices store of large outputs; present from the shard's start on
     */
    public record Storage(RunWriter writer, Supplier<Slices> slices, RunMemory memory) {}

    /**
     * Beginning and end of the ownership of a run.
     *
     * @param term current term of this node's lease, or {@link RunLife#NO_TERM} while it is unknown
     */
    public record Ownership(LongSupplier term, RunAdmission admission, RunDepartures departures) {}

    public record Notices(RunProgressHub watch, Tracer tracer) {}
}
