package io.millrace.app.module;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Memory that this server shares with its child processes: that of the machine, or of its control group. The options of the
 * executable set the share of the server's heap; this class computes the shares of the child processes.
 *
 * @param bytes total memory in bytes
 */
record MachineMemory(long bytes) {
    /** Share of memory for all processes of one kind together, in percent. Idle processes are small, so the shares overlap. */
    private static final int PERCENT = 50;

    /** Share of memory, in percent, while projects without a process wait (decision 0365). */
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
