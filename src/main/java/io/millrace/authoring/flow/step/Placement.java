package io.millrace.authoring.flow.step;

/** Position of a step relative to its parent (contract flows-and-engine 4.1, 4.6). */
public enum Placement {
    AFTER,
    INSIDE_LOOP,
    INSIDE_BRANCH,
    INSIDE_ON_SUCCESS_BRANCH,
    INSIDE_ON_FAILURE_BRANCH
}
