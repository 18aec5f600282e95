package io.millrace.app;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Gives memory back that large runs and busy times have left behind. The serial collector, which keeps the server small, leaves
 * the old generation alone until the whole heap is used, and the heap may grow to a large share of the host: so garbage would
 * stay where others need the memory. Collects it soon after the server has become quiet, which a call now and then does not
 * end, and in any case before it grows far beyond what lives (decisions 0058, 0310); the executable's options have the
 * virtual machine give back at once what a collection has freed. Where another collector is chosen, it does nothing.
 */
public final class IdleGcTrigger {
    private static final long LOOK_SECONDS = 5;
    private static final long QUIET_BYTES = 48L << 20;
    private static final long BUSY_BYTES = 128L << 20;

    /** Share of all processors below which the server counts as quiet. */
    private static final double QUIET_LOAD = 0.05;

    /** Quiet looks in a row before a calm: whoever calls again within seconds finds the heap as large as he left it. */
    private static final int CALM_LOOKS = 2;

    /** Of the system's memory that a collection in a calm is expected to give back: below it, it is not worth the pause. */
    private static final long GAIN_BYTES = 16L << 20;

    /** Lives in a server that nobody has called yet, with what the collector leaves free beside it. */
    private static final long SMALL_BYTES = 64L << 20;

    /** A collection leaves no more of the old generation than what lives takes by this (MaxHeapFreeRatio of 40). */
    private static final double USED_SHARE = 0.6;

    private final MemoryPoolMXBean old;
    private final OperatingSystemMXBean process;
    private int quietLooks;

    /** What lived after the last collection in a calm. */
    private long livedInCalm;

    private IdleGcTrigger(MemoryPoolMXBean old, OperatingSystemMXBean process) {
        this.old = old;
        this.process = process;
    }

    /**
     * The old generation.
     *
     * @param grownBytes what has come since the last collection
     * @param livedBytes what lived after it
     * @param committedBytes what the system has given for it
     * @param livedInCalmBytes what lived after the last collection in a calm; 0 before the first
     */
    record OldGeneration(long grownBytes, long livedBytes, long committedBytes, long livedInCalmBytes) {}

    /** Begins to look, on a thread of its own that does not keep the process alive. */
    public static void start() {
        serialOldGeneration().ifPresent(old -> {
            var process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            var _ = Executors.newSingleThreadScheduledExecutor(
                            Thread.ofPlatform().daemon().name("heap-tidy").factory())
                    .scheduleWithFixedDelay(
                            new IdleGcTrigger(old, process)::look, LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
        });
    }

    private static Optional<MemoryPoolMXBean> serialOldGeneration() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .filter(pool -> pool.getName().equals("Tenured Gen"))
                .findFirst();
    }

    private void look() {
        quietLooks = process.getProcessCpuLoad() < QUIET_LOAD ? quietLooks + 1 : 0;
        var usage = old.getUsage();
        var lived = livedBytes();
        if (isDue(new OldGeneration(usage.getUsed() - lived, lived, usage.getCommitted(), livedInCalm), quietLooks)) {
            System.gc();
            if (quietLooks >= CALM_LOOKS) {
                livedInCalm = livedBytes();
            }
        }
    }

    private long livedBytes() {
        return old.getCollectionUsage().getUsed();
    }

    /**
     * Whether to collect now.
     *
     * @param quietLooks how many looks in a row have found the server quiet; 0 while it is busy
     */
    static boolean isDue(OldGeneration old, int quietLooks) {
        if (quietLooks == 0) {
            return old.grownBytes() > Math.max(BUSY_BYTES, 2 * old.livedBytes());
        }
        return old.grownBytes() > QUIET_BYTES || quietLooks >= CALM_LOOKS && gainBytes(old) > GAIN_BYTES;
    }

    /** Where as much lives as in the calm before. */
    private static long gainBytes(OldGeneration old) {
        return old.committedBytes() - Math.max(SMALL_BYTES, (long) (old.livedInCalmBytes() / USED_SHARE));
    }
}
