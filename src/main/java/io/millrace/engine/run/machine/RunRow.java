package io.millrace.engine.run.machine;

import java.util.Optional;

/**
 * Transitions of runs without an actor; together with {@link RunMachine} this class decides every status of a row. A
 * pure function; the table is in {@code src/site/markdown/run-machine.md}.
 */
public final class RunRow {
    private RunRow() {}

    /**
     * Next status of the run; empty when the event does not apply.
     *
     * @param row null without a row
     */
    public static Optional<LiveStatus> on(RowStatus row, RowEvent.Queueing event) {
        return switch (event) {
            case INGESTED -> when(row == null, LiveStatus.QUEUED);
            case CLAIMED -> when(row == null, LiveStatus.RUNNING);
            case RESUMED -> when(row == LiveStatus.PAUSED, LiveStatus.QUEUED);
            case RETRIED -> when(row instanceof EndStatus && row != EndStatus.SUCCEEDED, LiveStatus.QUEUED);
        };
    }

    /**
     * Final status of the run; empty without a row, or when it has ended before: ended is final.
     *
     * @param row null without a row
     */
    public static Optional<EndStatus> on(RowStatus row, RowEvent.Closing event) {
        return when(
                row instanceof LiveStatus,
                switch (event) {
                    case CANCELED -> EndStatus.CANCELED;
                    case FLOW_GONE -> EndStatus.FAILED;
                    case UNSAVABLE, SET_ASIDE -> EndStatus.INTERNAL_ERROR;
                });
    }

    private static <T> Optional<T> when(boolean applies, T next) {
        return applies ? Optional.of(next) : Optional.empty();
    }
}
