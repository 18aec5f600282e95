package io.millrace.engine.run.machine;

/** Status of a run that has not ended, as its row says it; {@link EndStatus} has the others. */
public enum LiveStatus implements RowStatus {
    QUEUED,
    RUNNING,
    PAUSED
}
