package io.millrace.engine.run.machine;

/**
 * What a run may still write into its log (contract flows-and-engine 15.1).
 *
 * @param logBytesUsed sum of what trigger and steps have taken so far
 * @param logBytesMax the limit; the sum may reach it, not pass it
 */
public record Budget(long logBytesUsed, long logBytesMax) {
    private static final long MEGABYTE = 1024L * 1024;

    /** A budget of which nothing is used. */
    public static Budget of(long logBytesMax) {
        return new Budget(0, logBytesMax);
    }

    boolean isExceeded() {
        return logBytesUsed > logBytesMax;
    }

    Budget begun(long triggerLogBytes) {
        return new Budget(triggerLogBytes, logBytesMax);
    }

    Budget charged(long logBytes) {
        return new Budget(logBytesUsed + logBytes, logBytesMax);
    }

    /** The limit as people know it: the headroom that was taken off a whole number of MB is rounded away. */
    String exceededText() {
        var megabytes = (logBytesMax + MEGABYTE - 1) / MEGABYTE;
        return "the log of the run is larger than its limit of " + megabytes + " MB";
    }
}
