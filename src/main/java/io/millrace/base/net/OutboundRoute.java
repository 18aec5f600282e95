package io.millrace.base.net;

import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * Permitted destination of a request: addresses that passed the guard, best first.
 *
 * @param host whose addresses they are: the target, or the proxy in front of it
 * @param proxy the proxy, when the addresses are its own
 */
record OutboundRoute(String host, int port, List<InetAddress> addresses, Optional<OutboundProxy> proxy) {
    /** Number of addresses that are tried one after another when a connection cannot be opened. */
    private static final int TRIES_MAX = 3;

    OutboundRoute {
        addresses = addresses.stream().limit(TRIES_MAX).toList();
    }

    String named(InetAddress address) {
        var text = address.getHostAddress();
        return (text.indexOf(':') >= 0 ? "[" + text + "]" : text) + ":" + port;
    }

    /** The proxy as an option of Vert.x, pinned to one of its checked addresses. */
    ProxyOptions proxyOptions(InetAddress address) {
        var options = new ProxyOptions()
                .setType(ProxyType.HTTP)
                .setHost(address.getHostAddress())
                .setPort(port);
        proxy.flatMap(OutboundProxy::credentials)
                .ifPresent(credentials ->
                        options.setUsername(credentials.username()).setPassword(credentials.password()));
        return options;
    }
}
