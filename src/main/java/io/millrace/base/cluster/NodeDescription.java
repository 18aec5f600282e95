package io.millrace.base.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import io.millrace.base.core.Json;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Optional;

/**
 * Description of a node for the others.
 *
 * @param address host and port that it listens on
 * @param schemaVersion the newest migration that it knows; null for a node of an older release
 * @param role tasks that it takes (AP_NODE_ROLE)
 */
public record NodeDescription(String address, String release, String schemaVersion, String role) {
    private static final double PERCENT = 100;

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

    static ObjectNode disk(long total, long free) {
        var used = total - free;
        return Json.object()
                .put("total", total)
                .put("free", free)
                .put("used", used)
                .put("percentage", total == 0 ? 0 : PERCENT * used / total);
    }

    String ip() {
        var colon = address == null ? -1 : address.lastIndexOf(':');
        return colon < 0 ? String.valueOf(address) : address.substring(0, colon);
    }

    int port() {
        var colon = address == null ? -1 : address.lastIndexOf(':');
        return colon < 0 ? 0 : Integer.parseInt(address.substring(colon + 1));
    }

    /**
     * Address and port under which other hosts reach a server: one that listens on all addresses names one of the host's.
     * Performs no name lookup.
     */
    public static String reachable(String host, int port) {
        return (isAnyAddress(host) ? ownAddress().orElse(host) : host) + ":" + port;
    }

    private static boolean isAnyAddress(String host) {
        try {
            return InetAddress.ofLiteral(host).isAnyLocalAddress();
        } catch (IllegalArgumentException name) {
            return false;
        }
    }

    /** An IPv4 address of the host other than its loopback address; empty if there is none. */
    private static Optional<String> ownAddress() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> address instanceof Inet4Address
                            && !address.isLoopbackAddress()
                            && !address.isLinkLocalAddress())
                    .map(InetAddress::getHostAddress)
                    .findFirst();
        } catch (SocketException unreadable) {
            return Optional.empty();
        }
    }
}
