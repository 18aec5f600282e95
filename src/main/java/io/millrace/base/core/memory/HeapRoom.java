package io.millrace.base.core.memory;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Locale;

/**
 * Heap space for long-lived objects. Excludes the young generation: surviving objects leave it, and arrays of megabytes never
 * enter it.
 */
public final class HeapRoom {
    private HeapRoom() {}

    /** Largest size of the old generation, or of the whole heap where there is none; in bytes. */
    public static long bytesMax() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && isOld(pool))
                .mapToLong(pool -> pool.getUsage().getMax())
                .filter(bytes -> bytes > 0)
                .findFirst()
                .orElseGet(Runtime.getRuntime()::maxMemory);
    }

    private static boolean isOld(MemoryPoolMXBean pool) {
        var name = pool.getName().toLowerCase(Locale.ROOT);
        return name.contains("tenured") || name.contains("old gen");
    }
}
