package io.millrace.engine.run.redecide;

import io.millrace.engine.run.log.InputTruncation;
import io.millrace.engine.run.plan.CompiledFlow;

/**
 * Walks flow versions with recorded results in place of outside effects. Stateless and thread-safe; one walk is bounded
 * in steps and runs on the caller's thread.
 */
public final class Redecider {
    private final InputTruncation truncation;

    /** @param truncation the one with which inputs are recorded: shortened values are compared in that form */
    public Redecider(InputTruncation truncation) {
        this.truncation = truncation;
    }

    /**
     * Re-decides a run.
     *
     * @param flow version to walk
     * @param changes its differences from the version that was recorded
     */
    public Redecision redecide(RunRecording recording, CompiledFlow flow, StepChanges changes, WalkRequest request) {
        return new RedecisionWalk(recording, flow, changes, request, truncation).toTheEnd();
    }
}
