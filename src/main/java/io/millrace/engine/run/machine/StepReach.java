package io.millrace.engine.run.machine;

/** Reach of a step's effects, which decides what has to be durable around it. */
public enum StepReach {
    /** No outside effects, and deterministic: recomputed after a crash instead of being committed separately. */
    PURE,
    /**
     * No outside effects, but not deterministic. It may run before anything is durable, and run again after a crash;
     * its output is durable before it is used outside.
     */
    ISOLATED,
    /** External effects: the run is durable before it, and its outcome before the next step. */
    OUTSIDE
}
