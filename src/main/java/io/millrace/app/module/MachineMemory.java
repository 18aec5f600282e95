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
    /** Share of memory for all processes of one kind together, in percent. Idle processes are small, so the shares overlap. */
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
     * Number of processes of one kind that may run concurrently.
     *
     * @param wanted maximum by the settings
     * @param least number on the smallest machine
     * @param bytesEach memory limit of each
     */
    int processes(int wanted, int least, long bytesEach) {
        var room = bytes / 100 * PERCENT / bytesEach;
        return Math.clamp(room, Math.min(least, wanted), wanted);
    }

    /**
     * Number of processes of one kind that may run concurrently while projects without a process wait.
     *
     * @param usual number otherwise
     * @param beyondMax additional processes that the settings allow
     * @param bytesEach memory limit of each
     */
    int ceiling(int usual, int beyondMax, long bytesEach) {
        var room = bytes / 100 * PERCENT_BEYOND / bytesEach;
        return Math.clamp(room, usual + Math.min(BEYOND_LEAST, beyondMax), usual + beyondMax);
    }
}
