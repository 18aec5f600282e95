package io.millrace.app.module;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The memory that this server shares with the processes it starts: the machine's, or that of the control group around
 * it. The server's heap has its part of it by the options of the executable; this is about the others.
 *
 * @param bytes all of it
 */
record MachineMemory(long bytes) {
    /** The part that one kind of processes may grow to together, in percent. What is idle is small, so parts overlap. */
    private static final int PERCENT = 50;

    /** The part that they may grow to when projects wait that have none (decision 0365). */
    private static final int PERCENT_BEYOND = 75;

    /** Processes beyond the usual number on the smallest machine. */
    private static final int BEYOND_LEAST = 2;

    static MachineMemory ofHost() {
        return new MachineMemory(
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize());
    }

    /**
     * How many processes of one kind may run at once.
     *
     * @param wanted as many as the settings allow
     * @param least as many run on the smallest machine
     * @param bytesEach what each may grow to
     */
    int processes(int wanted, int least, long bytesEach) {
        var room = bytes / 100 * PERCENT / bytesEach;
        return Math.clamp(room, Math.min(least, wanted), wanted);
    }

    /**
     * How many processes of one kind may run at once when projects wait that have none.
     *
     * @param usual as many as run at once otherwise
     * @param beyondMax as many more as the settings allow
     * @param bytesEach what each may grow to
     */
    int ceiling(int usual, int beyondMax, long bytesEach) {
        var room = bytes / 100 * PERCENT_BEYOND / bytesEach;
        return Math.clamp(room, usual + Math.min(BEYOND_LEAST, beyondMax), usual + beyondMax);
    }
}
