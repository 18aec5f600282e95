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
}
