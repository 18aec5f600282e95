package io.millrace.sandbox.node.watch;

import java.time.Duration;

/**
 * Processor time that a process may use between calls (decision 0366). Garbage collection and compilation after a call take some
 * once; code that keeps running takes more at every look.
 *
 * @param processorMs processor time allowed in any case
 * @param percent share of the elapsed time that is added
 */
public record RestRule(long processorMs, int percent) {
    /** Delay of the first look after a call: until then engines clean up, and finished threads end. */
    public static final Duration GRACE = Duration.ofMillis(300);

    static final RestRule OF_CODE = new RestRule(300, 1);

    /** Rule for pieces, whose libraries maintain connections and caches. */
    static final RestRule OF_PIECES = new RestRule(1_500, 10);

    /**
     * Number of consecutive checks that find the code running after which it counts as active, even with little
     * processor time on a busy machine.
     */
    static final int RUNNING_LOOKS_MAX = 6;

    private static final int PERCENT = 100;

    /**
     * True if a process has used more processor time than allowed.
     *
     * @param usedMs processor time since the first look
     * @param since time since the first look
     */
    boolean isBroken(long usedMs, Duration since) {
        return usedMs > processorMs + since.toMillis() * percent / PERCENT;
    }
}
