package io.millrace.base.net;

import io.millrace.base.core.Cidr;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Decides which addresses this server may connect to for a user-supplied host (contract admin-api 1.15).
 *
 * <p>Performs no lookup. The allow list takes precedence; otherwise only ordinary global unicast passes. The table is our own
 * because the JDK's predicates miss shared, benchmarking, unique-local and translated ranges. Thread-safe.
 */
public final class AddressGuard {
    private static final List<String> REFUSED_BLOCKS = List.of(
            "0.0.0.0/8",
            "10.0.0.0/8",
            "100.64.0.0/10",
            "127.0.0.0/8",
            "169.254.0.0/16",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "224.0.0.0/4",
            "240.0.0.0/4",
            "::/128",
            "::1/128",
            "fe80::/10",
            "ff00::/8",
            "fc00::/7",
            "100::/64",
            "::ffff:0:0:0/96",
            "64:ff9b::/96",
            "2002::/16",
            "2001::/23",
            "2001:db8::/32",
            "2620:4f:8000::/48",
            // Beyond the contract's list, none of them global unicast: local-use translation (carries private IPv4
            // targets), deprecated site-local, deprecated IPv4-compatible, documentation, segment routing.
            "64:ff9b:1::/48",
            "fec0::/10",
            "::/96",
            "3fff::/20",
            "5f00::/16",
            // A public address at which every machine of one cloud reaches its host.
            "168.63.129.16/32");

    private static final List<Cidr> REFUSED =
            REFUSED_BLOCKS.stream().map(Cidr::parse).toList();

    private static final byte[] MAPPED_PREFIX = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff};

    private volatile List<Cidr> allowed;

    private AddressGuard(List<Cidr> allowed) {
        this.allowed = List.copyOf(allowed);
    }

    public static AddressGuard strict() {
        return new AddressGuard(List.of());
    }

    /**
     * A guard with the exceptions of {@code AP_SSRF_ALLOW_LIST}: addresses or blocks, separated by commas.
     *
     * @throws IllegalArgumentException naming the variable and every entry that is neither
     */
    public static AddressGuard allowing(String list) {
        return new AddressGuard(blocks(list));
    }

    /**
     * Puts other exceptions in force, for connections that are opened from now on.
     *
     * @throws IllegalArgumentException naming the variable and every entry that is neither; the exceptions stay
     */
    public void allow(String list) {
        allowed = List.copyOf(blocks(list));
    }

    private static List<Cidr> blocks(String list) {
        var allowed = new ArrayList<Cidr>();
        var problems = new ArrayList<String>();
        for (var entry : list.split(",", -1)) {
            if (entry.isBlank()) {
                continue;
            }
            try {
                allowed.add(Cidr.parse(entry.strip()));
            } catch (IllegalArgumentException malformed) {
                problems.add(malformed.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException("AP_SSRF_ALLOW_LIST " + String.join("; ", problems));
        }
        return allowed;
    }

    /** The blocked ranges, for components that apply the same table outside this process. */
    public static List<String> refusedBlocks() {
        return REFUSED_BLOCKS;
    }

    /** An IPv4-mapped address is judged by its IPv4 part. */
    public boolean isAllowed(InetAddress address) {
        var bytes = judged(address.getAddress());
        return contains(allowed, bytes) || !contains(REFUSED, bytes);
    }

    private static boolean contains(List<Cidr> blocks, byte[] address) {
        return blocks.stream().anyMatch(block -> block.contains(address));
    }

    private static byte[] judged(byte[] address) {
        var mapped = address.length == 16 && Arrays.equals(address, 0, 12, MAPPED_PREFIX, 0, 12);
        return mapped ? Arrays.copyOfRange(address, 12, 16) : address;
    }
}
