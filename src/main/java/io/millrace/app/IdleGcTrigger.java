package io.millrace.app;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Returns memory to the system after large runs and busy periods. The serial collector, chosen for its small footprint, does
 * not collect the old generation until the whole heap is used, and the heap may grow to a large share of the host; garbage
 * would occupy memory that other processes need. Triggers a collection soon after the server becomes idle (occasional calls
 * count as idle), and in any case before garbage grows far beyond the live data (decision 0058); with the executable's
 * options the JVM uncommits freed memory at once. Has no effect with another collector.
 */
public final class IdleGcTrigger {
    private static final long LOOK_SECONDS = 5;
    private static final long QUIET_BYTES = 48L << 20;
    private static final long BUSY_BYTES = 128L << 20;

    /** Share of all processors below which the server counts as quiet. */
    private static final double QUIET_LOAD = 0.05;

    /** Consecutive idle samples before a calm: a client that calls again within seconds finds the heap at its previous size. */
    private static final int CALM_LOOKS = 2;

    /** Smallest expected return of memory for a collection in a calm; below it, the pause is not justified. */
    private static final long GAIN_BYTES = 16L << 20;

    /** Live data of a server without calls, plus the room that the collector leaves free. */
    private static final long SMALL_BYTES = 64L << 20;

    /** Least share of the committed old generation that live data takes after a collection (MaxHeapFreeRatio of 40). */
    private static final double USED_SHARE = 0.6;

    private final MemoryPoolMXBean old;
    private final OperatingSystemMXBean process;
    private int quietLooks;

    /** Live bytes after the last collection in a calm. */
    private long livedInCalm;

    private IdleGcTrigger(MemoryPoolMXBean old, OperatingSystemMXBean process) {
        this.old = old;
        this.process = process;
    }

    /**
     * The old generation.
     *
     * @param grownBytes growth since the last collection
     * @param livedBytes live bytes after it
     * @param committedBytes committed memory
     * @param livedInCalmBytes live bytes after the last collection in a calm; 0 before the first
     */
    record OldGeneration(long grownBytes, long livedBytes, long committedBytes, long livedInCalmBytes) {}

    /** Starts sampling on a daemon thread. */
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
     * Returns true if a collection is due.
     *
     * @param quietLooks number of consecutive idle samples; 0 while the server is busy
     */
    static boolean isDue(OldGeneration old, int quietLooks) {
        if (quietLooks == 0) {
            return old.grownBytes() > Math.max(BUSY_BYTES, 2 * old.livedBytes());
        }
        return old.grownBytes() > QUIET_BYTES || quietLooks >= CALM_LOOKS && gainBytes(old) > GAIN_BYTES;
    }

    /** Memory that a collection would return, if as much is live as in the last calm. */
    private static long gainBytes(OldGeneration old) {
        return old.committedBytes() - Math.max(SMALL_BYTES, (long) (old.livedInCalmBytes() / USED_SHARE));
    }
}
