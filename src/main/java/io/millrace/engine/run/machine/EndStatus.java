package io.millrace.engine.run.machine;

/**
 * How a run that was started can end (contract flows-and-engine 5.2). QUOTA_EXCEEDED is missing on purpose: such a run is
 * refused before there is anything to walk.
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
