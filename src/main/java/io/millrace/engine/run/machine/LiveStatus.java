package io.millrace.engine.run.machine;

/** Status of a run that has not ended, as in its row; {@link EndStatus} has the others. */
public enum LiveStatus implements RowStatus {
    QUEUED,
    RUNNING,
    PAUSED
}
