package io.millrace.sandbox.node;

import java.time.Duration;

/**
 * How much a process may do between calls (decision 0367). What engines do after a call, garbage collection and compilation, takes
 * some processor time once; code that goes on takes it again and again.
 *
 * @param processorMs processor time in any case
 * @param percent of the time since, which is added
 */
record RestRule(long processorMs, int percent) {
    /** The first look at a process is so long after its call: until then engines tidy up, and threads that have been joined end. */
    static final Duration GRACE = Duration.ofMillis(300);

    /** For code of users. */
    static final RestRule OF_CODE = new RestRule(300, 1);

    /** For pieces, whose libraries look after connections and caches. */
    static final RestRule OF_PIECES = new RestRule(1_500, 10);

    /** Code that runs at so many looks one after the other goes on, however little of a busy machine it gets. */
    static final int RUNNING_LOOKS_MAX = 6;

    private static final int PERCENT = 100;

    /**
     * Whether a process has done more than it may.
     *
     * @param usedMs processor time since the first look
     * @param since time since the first look
     */
    boolean isBroken(long usedMs, Duration since) {
        return usedMs > processorMs + since.toMillis() * percent / PERCENT;
    }
}
