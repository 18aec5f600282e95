package io.millrace.engine.run.actor;

import io.millrace.base.trace.Tracer;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunWriter;
import io.millrace.engine.run.admission.RunAdmission;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.RunProgressHub;
import io.millrace.engine.run.journal.Slices;
import io.millrace.engine.run.recovery.LeaseEpochs;
import io.millrace.engine.run.step.StepEnvironment;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a shard gives to its runs, one part for each of those who read it. Who makes runs hands it on, and {@link RunPerformer}
 * gives each part of a run the one that it reads.
 *
 * @param term of this node's lease now, or {@link LeaseEpochs#NONE} while nothing is sure
 * @param slices what keeps large outputs apart; there from the shard's start on
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
