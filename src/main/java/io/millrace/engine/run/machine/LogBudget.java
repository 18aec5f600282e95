package io.millrace.engine.run.machine;

/**
 * Remaining space in the log of a run (contract flows-and-engine 15.1).
 *
 * @param logBytesUsed bytes used by trigger and steps so far
 * @param logBytesMax the limit, inclusive
 */
public record LogBudget(long logBytesUsed, long logBytesMax) {
    private static final long MEGABYTE = 1024L * 1024;

    public static LogBudget of(long logBytesMax) {
        return new LogBudget(0, logBytesMax);
    }

    boolean isExceeded() {
        return logBytesUsed > logBytesMax;
    }

    LogBudget begun(long triggerLogBytes) {
        return new LogBudget(triggerLogBytes, logBytesMax);
    }

    LogBudget charged(long logBytes) {
        return new LogBudget(logBytesUsed + logBytes, logBytesMax);
    }

    /** The configured limit: the headroom that was subtracted from a whole number of MB is rounded away. */
    String exceededText() {
        var megabytes = (logBytesMax + MEGABYTE - 1) / MEGABYTE;
        return "the log of the run is larger than its limit of " + megabytes + " MB";
    }
}
