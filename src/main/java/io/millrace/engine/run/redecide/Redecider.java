package io.millrace.engine.run.redecide;

import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow;
import java.util.function.LongSupplier;

/**
 * Walks flow versions with recorded results in place of outside effects. Stateless and thread-safe; one walk is bounded
 * in steps and in time, and runs on the caller's thread.
 */
public final class Redecider {
    private final InputTruncation truncation;
    private final LongSupplier nanos;

    /** @param truncation the one with which inputs are recorded: shortened values are compared in that form */
    public Redecider(InputTruncation truncation) {
        this(truncation, System::nanoTime);
    }

    Redecider(InputTruncation truncation, LongSupplier nanos) {
        this.truncation = truncation;
        this.nanos = nanos;
    }

    public Redecision redecide(RunRecording recording, CompiledFlow flow, StepChanges changes, WalkRequest request) {
        return new RedecisionWalk(recording, flow, changes, request, truncation, nanos).toTheEnd();
    }
}
