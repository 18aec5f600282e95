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
 * Services of a shard for its runs, one component for each consumer. {@link RunPerformer} passes each part of a run the
 * component that it reads.
 *
 * @param term current term of this node's lease, or {@link RunLife#NO_TERM} while it is unknown
 * @param slices store of large outputs; present from the shard's start on
 */
public record RunHost(
        RunClock clock,
        RunWriter writer,
        StepEnvironment environment,
        RunLimits limits,
        Supplier<Slices> slices,
        RunMemory memory,
        RunProgressHub watch,
        LongSupplier term,
        RunAdmission admission,
        RunDepartures departures,
        Tracer tracer) {}
