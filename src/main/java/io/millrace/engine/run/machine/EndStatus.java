package io.millrace.engine.run.machine;

/**
 * Final statuses of a run that was started (contract flows-and-engine 5.2). QUOTA_EXCEEDED is missing on purpose: such
 * a run is refused before its walk.
 */
public enum EndStatus implements RowStatus {
    SUCCEEDED,
    FAILED,
    TIMEOUT,
    MEMORY_LIMIT_EXCEEDED,
    LOG_SIZE_EXCEEDED,
    CANCELED,
    INTERNAL_ERROR
}
