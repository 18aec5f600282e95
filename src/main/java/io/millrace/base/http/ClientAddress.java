package io.millrace.base.http;

import io.millrace.base.config.Config;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a request comes from: what the header of a proxy says, else the connection (contract admin-api 1.13). Only proxies
 * that are trusted are believed (decision 0081).
 */
public final class ClientAddress {
    private static final Logger LOG = LoggerFactory.getLogger(ClientAddress.class);

    private final Config.Proxies proxies;
    private boolean warned;

    public ClientAddress(Config.Proxies proxies) {
        this.proxies = proxies;
    }

    /** An IP address without its zone. */
    public String of(RoutingContext context) {
        var request = context.request();
        var peer = request.remoteAddress().hostAddress();
        return proxies.addressHeader().isEmpty()
                ? withoutZone(peer)
                : of(peer, request.headers().getAll(proxies.addressHeader()));
    }

    /**
     * Walks from the nearest to the farthest: each trusted proxy says who stood before it. What an untrusted one says is
     * not looked at, for it could say anything.
     *
     * @param told values of the header, each of which may list several addresses
     */
    String of(String peer, List<String> told) {
        var client = withoutZone(peer);
        var hops = told.stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .toList()
                .reversed();
        for (var hop : hops) {
            var address = literal(hop.strip());
            if (!isTrusted(client) || address.isEmpty()) {
                warnOnce(client);
                return client;
            }
            client = address.get();
        }
        return client;
    }

    /** A proxy that the operator forgot would share one limit among all its clients: this is the only trace of it. */
    private void warnOnce(String peer) {
        if (!warned && !isTrusted(peer) && isPrivate(peer)) {
            warned = true;
            LOG.warn(
                    "{} sends {}, and is not believed: if it is a proxy of yours, name it in AP_TRUSTED_PROXIES",
                    peer,
                    proxies.addressHeader());
        }
    }

    private static boolean isPrivate(String peer) {
        var address = InetAddress.ofLiteral(peer);
        return address.isSiteLocalAddress() || address.isLinkLocalAddress();
    }

    private boolean isTrusted(String client) {
        var address = InetAddress.ofLiteral(client).getAddress();
        return proxies.trusted().stream().anyMatch(block -> block.contains(address));
    }

    private static Optional<String> literal(String text) {
        try {
            return Optional.of(withoutZone(InetAddress.ofLiteral(text).getHostAddress()));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    private static String withoutZone(String address) {
        var zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }
}
