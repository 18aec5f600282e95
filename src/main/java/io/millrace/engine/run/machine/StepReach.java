package io.millrace.engine.run.machine;

/** Reach of a step's effects, which decides what has to be durable around it. */
public enum StepReach {
    /** Nothing, and it gives the same each time: recomputed after a crash instead of being committed on its own. */
    PURE,
    /**
     * Nothing, but it may give something else each time. It may run before anything is durable, and run again after a
     * crash; what it gave is durable before anything outside sees it.
     */
    ISOLATED,
    /** The world: the run is durable before it, and its outcome before the next step. */
    OUTSIDE
}
