package io.millrace.base.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import io.millrace.base.core.Json;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;

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
        var root = new File(".").getAbsoluteFile();
        var json = Json.object()
                .put("totalCpuCores", system.getAvailableProcessors())
                .put("cpuUsagePercentage", Math.max(0, system.getCpuLoad()) * PERCENT)
                .put("ramUsagePercentage", PERCENT * (memory - system.getFreeMemorySize()) / memory)
                .put("totalAvailableRamInBytes", memory)
                .put("heapUsedBytes", heap.getUsed())
                .put("heapMaxBytes", heap.getMax());
        json.set("diskInfo", disk(root.getTotalSpace(), root.getUsableSpace()));
        return json;
    }

    /** The file system of the process. */
    static ObjectNode disk(long total, long free) {
        var used = total - free;
        return Json.object()
                .put("total", total)
                .put("free", free)
                .put("used", used)
                .put("percentage", total == 0 ? 0 : PERCENT * used / total);
    }

    /** Address alone. */
    String ip() {
        var colon = address == null ? -1 : address.lastIndexOf(':');
        return colon < 0 ? String.valueOf(address) : address.substring(0, colon);
    }

    int port() {
        var colon = address == null ? -1 : address.lastIndexOf(':');
        return colon < 0 ? 0 : Integer.parseInt(address.substring(colon + 1));
    }

    /** Address and port under which other hosts reach a server: one that listens on all addresses names the host's own. */
    public static String reachable(String host, int port) {
        try {
            var listened = InetAddress.getByName(host);
            var named =
                    listened.isAnyLocalAddress() ? InetAddress.getLocalHost().getHostAddress() : host;
            return named + ":" + port;
        } catch (UnknownHostException nameless) {
            return host + ":" + port;
        }
    }
}
