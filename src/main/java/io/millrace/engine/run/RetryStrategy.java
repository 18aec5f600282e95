package io.millrace.engine.run;

/** Strategy for retries of a run (contract flows-and-engine 5.6). */
public enum RetryStrategy {
    /** Continues the same run: keeps results of successful steps, executes failed steps again. */
    FROM_FAILED_STEP,
    /** A new run of the flow's latest locked version, with the same trigger output. */
    ON_LATEST_VERSION
}
