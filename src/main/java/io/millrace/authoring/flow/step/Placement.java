package io.millrace.authoring.flow.step;

/** Where a step goes, seen from its parent (contract flows-and-engine 4.1, 4.6). */
public enum Placement {
    AFTER,
    INSIDE_LOOP,
    INSIDE_BRANCH,
    INSIDE_ON_SUCCESS_BRANCH,
    INSIDE_ON_FAILURE_BRANCH
}
