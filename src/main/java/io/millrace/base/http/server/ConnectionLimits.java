package io.millrace.base.http.server;

import com.sun.management.UnixOperatingSystemMXBean;
import io.millrace.base.config.HttpLimitSettings;
import io.millrace.base.config.HttpSettings;
import io.millrace.base.core.Cidr;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits of client connections, in total and per address. The remaining file descriptors of the process are reserved for the
 * database, worker processes and outbound calls. A trusted proxy represents many clients, and counts only in the total. Safe
 * for threads.
 */
public final class ConnectionLimits {
    private static final int ALL_MAX = 10_000;

    /** Descriptors that are never given to clients, where there are that many. */
    private static final long RESERVED_MAX = 512;

    private static final int ADDRESS_SHARE = 4;

    private final int allMax;
    private final int perAddressMax;
    private final List<Cidr> proxies;
    private final AtomicInteger all = new AtomicInteger();
    private final Map<InetAddress, Integer> perAddress = new ConcurrentHashMap<>();

    ConnectionLimits(int allMax, int perAddressMax, List<Cidr> proxies) {
        this.allMax = allMax;
        this.perAddressMax = perAddressMax;
        this.proxies = List.copyOf(proxies);
    }

    static ConnectionLimits of(HttpLimitSettings limits, HttpSettings.Proxies proxies) {
        var all = limits.connections().max() == 0
                ? affordable(descriptorsMax())
                : limits.connections().max();
        var perAddress = limits.connections().perAddressMax() == 0
                ? Math.max(1, all / ADDRESS_SHARE)
                : limits.connections().perAddressMax();
        return new ConnectionLimits(all, perAddress, proxies.trusted());
    }

    /** Half of few descriptors are reserved for other uses, and of many a fixed number. */
    static int affordable(long descriptorsMax) {
        var reserved = Math.min(RESERVED_MAX, descriptorsMax / 2);
        return Math.clamp(descriptorsMax - reserved, 1, ALL_MAX);
    }

    private static long descriptorsMax() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
    }

    /** Returns false, without counting the connection, when there are too many. */
    boolean open(InetAddress address) {
        if (all.incrementAndGet() > allMax) {
            all.decrementAndGet();
            return false;
        }
        if (isCounted(address) && perAddress.merge(address, 1, Integer::sum) > perAddressMax) {
            close(address);
            return false;
        }
        return true;
    }

    void close(InetAddress address) {
        all.decrementAndGet();
        if (isCounted(address)) {
            perAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** @param address null for a connection that has none */
    private boolean isCounted(InetAddress address) {
        if (address == null) {
            return false;
        }
        var bytes = address.getAddress();
        return proxies.stream().noneMatch(block -> block.contains(bytes));
    }
}
