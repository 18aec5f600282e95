package io.millrace.base.net;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Finds where a request may be sent: to addresses that the guard lets through (contract admin-api 1.15). */
final class OutboundRouting {
    private final HostGuard hosts;

    OutboundRouting(HostGuard hosts) {
        this.hosts = hosts;
    }

    /** Fails with BLOCKED_ADDRESS or NAME_NOT_FOUND. */
    Future<OutboundRoute> routeOf(OutboundRequest request) {
        var target = request.address();
        return request.proxy()
                .map(proxy -> throughProxy(target, proxy))
                .orElseGet(() -> hosts.allowed(target.host())
                        .map(addresses ->
                                new OutboundRoute(target.host(), target.port(), addresses, Optional.empty())));
    }

    /**
     * The proxy connects, so its address counts. The target is judged as well where this server can resolve it: an internal
     * proxy must not bypass the guard. A name that only the proxy can resolve is resolved there.
     */
    private Future<OutboundRoute> throughProxy(WebAddress target, OutboundProxy proxy) {
        var host = proxyHost(proxy);
        return hosts.allowed(target.host())
                .recover(failure ->
                        isUnknownName(failure) ? Future.succeededFuture(List.of()) : Future.failedFuture(failure))
                .compose(_ -> hosts.allowed(host))
                .map(addresses -> new OutboundRoute(host, proxy.port(), addresses, Optional.of(proxy)));
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
}
