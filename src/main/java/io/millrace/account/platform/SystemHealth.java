package io.millrace.account.platform;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.EffectiveIsolation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Health of the server's machine: true is healthy (contract admin-api 30). Reads the file system, so it must run on a worker
 * thread.
 *
 * @param cpu the processors are not saturated
 * @param disk the data folder has room
 * @param ram the heap has room
 * @param database the database answers
 * @param pieces npm pieces can run; bundled pieces run in any case
 * @param isolation kernel isolation of processes of pieces and of code
 */
record SystemHealth(
        boolean cpu, boolean disk, boolean ram, boolean database, boolean pieces, EffectiveIsolation isolation) {
    private static final double CPU_LOAD_MAX = 0.95;
    private static final double HEAP_SHARE_MAX = 0.95;
    private static final long DISK_FREE_BYTES_MIN = 1024L * 1024 * 1024;

    static SystemHealth measure(Path dataDirectory, boolean database, boolean pieces, EffectiveIsolation isolation) {
        return new SystemHealth(isCpuFree(), hasRoom(dataDirectory), isHeapFree(), database, pieces, isolation);
    }

    ObjectNode toJson() {
        return Json.object()
                .put("cpu", cpu)
                .put("disk", disk)
                .put("ram", ram)
                .put("database", database)
                .put("pieces", pieces)
                .put("isolation", isolation.confinesSignals())
                .put("isolationInForce", isolation.description())
                .put("isolationOfNetwork", isolation.confinesNetwork());
    }

    /** An unknown load is negative, and counts as healthy. */
    private static boolean isCpuFree() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad() < CPU_LOAD_MAX;
    }

    private static boolean isHeapFree() {
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory() < runtime.maxMemory() * HEAP_SHARE_MAX;
    }

    private static boolean hasRoom(Path directory) {
        try {
            return Files.getFileStore(directory).getUsableSpace() >= DISK_FREE_BYTES_MIN;
        } catch (IOException unreadable) {
            return false;
        }
    }
}
