package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the addresses of a host and returns only those that the guard allows (contract admin-api 1.15): for HTTP, and for
 * modules with another protocol. The caller must connect to a returned address and never resolve the name again, so that a
 * second, different answer of the DNS has no effect.
 */
public final class HostGuard {
    private final Predicate<InetAddress> guard;
    private final NameLookup lookup;

    public HostGuard(Vertx vertx, AddressGuard guard) {
        this(guard, NameLookup.of(vertx));
    }

    HostGuard(AddressGuard guard, NameLookup lookup) {
        this(guard::isAllowed, lookup);
    }

    private HostGuard(Predicate<InetAddress> guard, NameLookup lookup) {
        this.guard = guard;
        this.lookup = lookup;
    }

    /** Finds all addresses of a host, for a caller that judges each of them itself. */
    public static HostGuard unguarded(Vertx vertx) {
        return new HostGuard(_ -> true, NameLookup.of(vertx));
    }

    /** Permitted addresses of a user-supplied host, best first; fails with BLOCKED_ADDRESS, NAME_NOT_FOUND or INVALID_REQUEST. */
    public Future<List<InetAddress>> find(String host) {
        try {
            return allowed(HostText.canonical(host.strip()));
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture(new OutboundFailure(
                    OutboundFailure.Kind.INVALID_REQUEST, "Invalid host: " + malformed.getMessage()));
        }
    }

    /** The same as {@link #find} for a host in its canonical form. */
    Future<List<InetAddress>> allowed(String host) {
        return addressesOf(host).compose(addresses -> {
            var passed = addresses.stream()
                    .filter(guard)
                    .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address)))
                    .toList();
            return passed.isEmpty()
                    ? Future.failedFuture(blocked(host, addresses.getFirst()))
                    : Future.succeededFuture(passed);
        });
    }

    private Future<List<InetAddress>> addressesOf(String host) {
        if (HostText.isLiteral(host)) {
            return Future.succeededFuture(List.of(InetAddress.ofLiteral(host)));
        }
        var name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        return lookup.addressesOf(name)
                .recover(_ -> Future.succeededFuture(List.of()))
                .compose(found -> found.isEmpty()
                        ? Future.failedFuture(Failures.nameNotFound(host))
                        : Future.succeededFuture(found));
    }

    private static OutboundFailure blocked(String host, InetAddress address) {
        return new OutboundFailure(
                OutboundFailure.Kind.BLOCKED_ADDRESS,
                "Request to " + host + " (" + address.getHostAddress()
                        + ") is blocked: private, loopback and metadata addresses are refused unless"
                        + " AP_SSRF_ALLOW_LIST names them");
    }
}
