package io.millrace.sandbox.code.worker;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;

/**
 * Heap usage after the last full collection.
 *
 * <p>A heap that stays nearly full makes every step a collection: such a call is at its limit although no allocation has failed
 * yet, and waiting for the failure would cost minutes.
 */
final class HeapWatch {
    private final List<MemoryPoolMXBean> oldPools = ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
            .filter(pool -> pool.getName().contains("Tenured") || pool.getName().contains("Old"))
            .toList();

    /** Live share of the old generation, 0 to 1; 0 before its first collection. */
    double liveShare() {
        return oldPools.stream()
                .map(MemoryPoolMXBean::getCollectionUsage)
                .mapToDouble(HeapWatch::share)
                .max()
                .orElse(0);
    }

    /** Bytes added to the old generation since its last collection. */
    long grownBytes() {
        return oldPools.stream()
                .mapToLong(pool ->
                        pool.getUsage().getUsed() - pool.getCollectionUsage().getUsed())
                .sum();
    }

    private static double share(MemoryUsage usage) {
        return usage.getMax() <= 0 ? 0 : (double) usage.getUsed() / usage.getMax();
    }
}
