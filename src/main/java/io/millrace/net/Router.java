package io.millrace.net;

import io.vertx.core.Future;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the addresses of a host and lets only those through that the guard allows (contract admin-api 1.15).
 *
 * <p>Every address is judged, and those that fail are never connected to; a host is refused when none is left. What is
 * connected to is an address of the answer that was judged, so a second, different answer has no effect.
 */
final class Router {
    private final AddressGuard guard;
    private final NameLookup lookup;

    Router(AddressGuard guard, NameLookup lookup) {
        this.guard = guard;
        this.lookup = lookup;
    }

    /** The route of a request; fails with BLOCKED_ADDRESS or NAME_NOT_FOUND. */
    Future<Route> routeOf(OutboundRequest request) {
        var target = request.address();
        return request.proxy()
                .map(proxy -> throughProxy(target, proxy))
                .orElseGet(() -> allowed(target.host())
                        .map(addresses -> new Route(target.host(), target.port(), addresses, Optional.empty())));
    }

    /**
     * The proxy connects, so its address counts. The target is judged as well where this server can resolve it: a proxy
     * next door must not become the way round the guard. A name that only the proxy can resolve is left to it.
     */
    private Future<Route> throughProxy(WebAddress target, OutboundProxy proxy) {
        var host = proxyHost(proxy);
        return allowed(target.host())
                .recover(failure ->
                        isUnknownName(failure) ? Future.succeededFuture(List.of()) : Future.failedFuture(failure))
                .compose(_ -> allowed(host))
                .map(addresses -> new Route(host, proxy.port(), addresses, Optional.of(proxy)));
    }

    private Future<List<InetAddress>> allowed(String host) {
        return addressesOf(host).compose(addresses -> {
            var passed = addresses.stream()
                    .filter(guard::isAllowed)
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

    private static String proxyHost(OutboundProxy proxy) {
        try {
            return HostText.canonical(proxy.host().strip());
        } catch (IllegalArgumentException malformed) {
            throw new OutboundFailure(
                    OutboundFailure.Kind.INVALID_REQUEST, "Invalid proxy host: " + malformed.getMessage());
        }
    }

    private static boolean isUnknownName(Throwable failure) {
        return failure instanceof OutboundFailure known && known.kind() == OutboundFailure.Kind.NAME_NOT_FOUND;
    }

    private static OutboundFailure blocked(String host, InetAddress address) {
        return new OutboundFailure(
                OutboundFailure.Kind.BLOCKED_ADDRESS,
                "Request to " + host + " (" + address.getHostAddress()
                        + ") is blocked: private, loopback and metadata addresses are refused unless"
                        + " AP_SSRF_ALLOW_LIST names them");
    }
}
