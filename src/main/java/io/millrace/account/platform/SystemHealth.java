package io.millrace.account.platform;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import io.millrace.base.core.Json;
import io.millrace.sandbox.isolation.EffectiveIsolation;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Health of the server's machine: true is healthy (contract admin-api 30). Reads the file system, so it must run on a worker
 * thread.
 *
 * @param cpu share of the processors that is busy
 * @param disk free space of the data folder
 * @param ram used part of the heap
 * @param database the database answers
 * @param pieces npm pieces can run; bundled pieces run in any case
 * @param isolation kernel isolation of processes of pieces and of code
 */
record SystemHealth(
        HealthFigure cpu,
        HealthFigure disk,
        HealthFigure ram,
        boolean database,
        boolean pieces,
        EffectiveIsolation isolation) {
    private static final long CPU_PERCENT_MAX = 95;
    private static final long HEAP_PERCENT_MAX = 95;
    private static final long DISK_FREE_BYTES_MIN = 1024L * 1024 * 1024;
    private static final long PERCENT = 100;

    static SystemHealth measure(Path dataDirectory, boolean database, boolean pieces, EffectiveIsolation isolation) {
        return new SystemHealth(cpuFigure(), diskFigure(dataDirectory), heapFigure(), database, pieces, isolation);
    }

    /**
     * A measured value and its threshold.
     *
     * @param value empty if the machine does not report it
     */
    record HealthFigure(boolean isGood, Optional<Long> value, long threshold, String unit) {
        ObjectNode toJson() {
            var json = Json.object().put("threshold", threshold).put("unit", unit);
            value.ifPresent(measured -> json.put("value", measured));
            return json;
        }
    }

    ObjectNode toJson() {
        var figures = Json.object();
        figures.set("cpu", cpu.toJson());
        figures.set("disk", disk.toJson());
        figures.set("ram", ram.toJson());
        var json = Json.object()
                .put("cpu", cpu.isGood())
                .put("disk", disk.isGood())
                .put("ram", ram.isGood())
                .put("database", database)
                .put("pieces", pieces)
                .put("isolation", isolation.confinesSignals())
                .put("isolationInForce", isolation.description())
                .put("isolationOfNetwork", isolation.confinesNetwork());
        json.set("figures", figures);
        return json;
    }

    /** An unknown load is negative, and counts as healthy. */
    private static HealthFigure cpuFigure() {
        var load =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getCpuLoad();
        var busy = load < 0 ? Optional.<Long>empty() : Optional.of(Math.round(load * PERCENT));
        return new HealthFigure(
                busy.filter(percent -> percent >= CPU_PERCENT_MAX).isEmpty(), busy, CPU_PERCENT_MAX, "PERCENT");
    }

    private static HealthFigure heapFigure() {
        var runtime = Runtime.getRuntime();
        var used = runtime.totalMemory() - runtime.freeMemory();
        var threshold = runtime.maxMemory() / PERCENT * HEAP_PERCENT_MAX;
        return new HealthFigure(used < threshold, Optional.of(used), threshold, "BYTES");
    }

    /** A file system that cannot be read counts as full. */
    private static HealthFigure diskFigure(Path directory) {
        try {
            var free = Files.getFileStore(directory).getUsableSpace();
            return new HealthFigure(free >= DISK_FREE_BYTES_MIN, Optional.of(free), DISK_FREE_BYTES_MIN, "BYTES");
        } catch (IOException unreadable) {
            return new HealthFigure(false, Optional.empty(), DISK_FREE_BYTES_MIN, "BYTES");
        }
    }
}
