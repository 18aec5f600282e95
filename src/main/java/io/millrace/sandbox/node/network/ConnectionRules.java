package io.millrace.sandbox.node.network;

import io.millrace.base.core.Cidr;
import io.millrace.sandbox.node.call.NodeSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Decides which addresses one process may connect to. The addresses of an exempt name become exempt after the server has resolved
 * it; the process cannot choose them. Used on one thread.
 */
final class ConnectionRules {
    private static final int PORT_MAX = 65_535;

    private final List<Cidr> refused;
    private final List<Cidr> allowed;
    private final Map<String, Set<Integer>> exemptPorts = new HashMap<>();
    private final Set<InetSocketAddress> exempt = new HashSet<>();

    ConnectionRules(NodeSettings.Network network) {
        refused = network.refused().stream().map(Cidr::parse).toList();
        allowed = network.allowed().stream().map(Cidr::parse).toList();
        network.exempt().forEach(this::exempt);
    }

    private void exempt(String hostAndPort) {
        var colon = hostAndPort.lastIndexOf(':');
        var host = plain(hostAndPort.substring(0, colon));
        var port = Integer.parseInt(hostAndPort.substring(colon + 1));
        exemptPorts.computeIfAbsent(host, _ -> new HashSet<>()).add(port);
        if (isLiteral(host)) {
            exempt.add(new InetSocketAddress(InetAddress.ofLiteral(host), port));
        }
    }

    private static String plain(String host) {
        var isBracketed = host.startsWith("[") && host.endsWith("]");
        return (isBracketed ? host.substring(1, host.length() - 1) : host).toLowerCase(Locale.ROOT);
    }

    private static boolean isLiteral(String host) {
        try {
            InetAddress.ofLiteral(host);
            return true;
        } catch (IllegalArgumentException name) {
            return false;
        }
    }

    /** True if connections to the address are allowed at every port. */
    boolean allows(InetAddress address) {
        // The JDK reads an IPv4-mapped address as the IPv4 address in it.
        var bytes = address.getAddress();
        return contains(allowed, bytes) || !contains(refused, bytes);
    }

    boolean allows(InetSocketAddress target) {
        return target.getPort() > 0
                && target.getPort() <= PORT_MAX
                && (exempt.contains(target) || allows(target.getAddress()));
    }

    private static boolean contains(List<Cidr> blocks, byte[] address) {
        return blocks.stream().anyMatch(block -> block.contains(address));
    }

    boolean isExempt(String host) {
        return exemptPorts.containsKey(plain(host));
    }

    void found(String host, List<InetAddress> addresses) {
        for (var port : exemptPorts.getOrDefault(plain(host), Set.of())) {
            addresses.forEach(address -> exempt.add(new InetSocketAddress(address, port)));
        }
    }
}
