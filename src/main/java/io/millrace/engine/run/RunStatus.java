package io.millrace.engine.run;

import io.millrace.engine.run.machine.EndStatus;
import io.millrace.engine.run.machine.LiveStatus;
import io.millrace.engine.run.machine.RowStatus;
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

    public static final List<RunStatus> FAILURES =
            List.of(FAILED, TIMEOUT, MEMORY_LIMIT_EXCEEDED, LOG_SIZE_EXCEEDED, QUOTA_EXCEEDED, INTERNAL_ERROR);

    public static RunStatus of(LiveStatus status) {
        return switch (status) {
            case QUEUED -> QUEUED;
            case RUNNING -> RUNNING;
            case PAUSED -> PAUSED;
        };
    }

    public static RunStatus of(EndStatus status) {
        return switch (status) {
            case SUCCEEDED -> SUCCEEDED;
            case FAILED -> FAILED;
            case TIMEOUT -> TIMEOUT;
            case MEMORY_LIMIT_EXCEEDED -> MEMORY_LIMIT_EXCEEDED;
            case LOG_SIZE_EXCEEDED -> LOG_SIZE_EXCEEDED;
            case CANCELED -> CANCELED;
            case INTERNAL_ERROR -> INTERNAL_ERROR;
        };
    }

    public RowStatus ofRow() {
        return switch (this) {
            case QUEUED, RUNNING, PAUSED -> live();
            case SUCCEEDED, FAILED, TIMEOUT, MEMORY_LIMIT_EXCEEDED, LOG_SIZE_EXCEEDED, CANCELED, INTERNAL_ERROR ->
                EndStatus.valueOf(name());
            case QUOTA_EXCEEDED -> throw new IllegalStateException("expected a status that is written, found " + this);
        };
    }

    /** The status of a run that has not ended. */
    public LiveStatus live() {
        return LiveStatus.valueOf(name());
    }

    public boolean isTerminal() {
        return this != QUEUED && this != RUNNING && this != PAUSED;
    }
}
