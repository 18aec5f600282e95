package io.millrace.engine.run;

/** How a run is retried (contract flows-and-engine 5.6). */
public enum RetryStrategy {
    /** The same run goes on: what succeeded is kept, what failed is done again. */
    FROM_FAILED_STEP,
    /** A new run of the flow's latest locked version, with the same trigger output. */
    ON_LATEST_VERSION
}
