package io.millrace.base.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import io.millrace.base.core.Json;
import java.lang.management.ManagementFactory;

/**
 * What a node tells others of itself.
 *
 * @param address host and port that it listens on
 * @param schemaVersion the newest migration that it knows; null of a release that did not say so
 * @param role what it is there for (AP_NODE_ROLE)
 */
public record NodeDescription(String address, String release, String schemaVersion, String role) {
    private static final double PERCENT = 100;

    /** How busy the process and its machine are now. */
    static ObjectNode load() {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        var memory = system.getTotalMemorySize();
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return Json.object()
                .put("cpuUsagePercentage", Math.max(0, system.getCpuLoad()) * PERCENT)
                .put("ramUsagePercentage", PERCENT * (memory - system.getFreeMemorySize()) / memory)
                .put("totalAvailableRamInBytes", memory)
                .put("heapUsedBytes", heap.getUsed())
                .put("heapMaxBytes", heap.getMax());
    }
}
