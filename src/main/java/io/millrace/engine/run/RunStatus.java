package io.millrace.engine.run;

import java.util.List;

/** Status of a run (contract flows-and-engine 5.2). */
public enum RunStatus {
    QUEUED,
    RUNNING,
    PAUSED,
    SUCCEEDED,
    FAILED,
    TIMEOUT,
    MEMORY_LIMIT_EXCEEDED,
    LOG_SIZE_EXCEEDED,
    QUOTA_EXCEEDED,
    CANCELED,
    INTERNAL_ERROR;

    /** How a run ends that did not do what it was meant to do, and that nobody ended on purpose. */
    static final List<RunStatus> FAILURES =
            List.of(FAILED, TIMEOUT, MEMORY_LIMIT_EXCEEDED, LOG_SIZE_EXCEEDED, QUOTA_EXCEEDED, INTERNAL_ERROR);

    /** Whether nothing changes the run any more. */
    public boolean isTerminal() {
        return this != QUEUED && this != RUNNING && this != PAUSED;
    }
}
