package io.millrace.app;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Gives memory back that large runs have left behind. The serial collector, which keeps the server small, leaves the
 * old generation alone until the whole heap is used, and the heap may grow to a large share of the host: so garbage
 * would stay where others need the memory. Collects it while the server is quiet, and in any case before it grows far
 * beyond what lives (decision 0058). Where another collector is chosen, it does nothing.
 */
public final class IdleGcTrigger {
    private static final long LOOK_SECONDS = 5;
    private static final long QUIET_BYTES = 48L << 20;
    private static final long BUSY_BYTES = 128L << 20;

    /** Share of all processors below which the server counts as quiet. */
    private static final double QUIET_LOAD = 0.05;

    private final MemoryPoolMXBean old;
    private final OperatingSystemMXBean process;

    private IdleGcTrigger(MemoryPoolMXBean old, OperatingSystemMXBean process) {
        this.old = old;
        this.process = process;
    }

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
        var lived = old.getCollectionUsage().getUsed();
        var grown = old.getUsage().getUsed() - lived;
        if (isDue(grown, lived, process.getProcessCpuLoad())) {
            System.gc();
        }
    }

    /**
     * Whether to collect now.
     *
     * @param grownBytes what has come since the last collection
     * @param livedBytes what lived after it
     * @param load share of all processors that this process uses, 0 to 1
     */
    static boolean isDue(long grownBytes, long livedBytes, double load) {
        var bound = load < QUIET_LOAD ? QUIET_BYTES : Math.max(BUSY_BYTES, 2 * livedBytes);
        return grownBytes > bound;
    }
}
