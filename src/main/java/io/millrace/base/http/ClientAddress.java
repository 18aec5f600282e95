package io.millrace.base.http;

import io.millrace.base.config.HttpSettings;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Address of the client of a request: from the headers of trusted proxies, else from the connection (contract admin-api
 * 1.13, decision 0081). A header that the operator names is the only one read. Otherwise {@code X-Real-IP},
 * {@code X-Forwarded-For} and {@code Forwarded} are read, and have to agree: a proxy sets some of them and passes the others
 * on as the client sent them.
 */
public final class ClientAddress {
    private static final Logger LOG = LoggerFactory.getLogger(ClientAddress.class);

    private static final String DEFAULT = "x-real-ip";
    private static final String FORWARDED = "forwarded";

    /** Read when the operator names no other header than the default. */
    private static final List<String> USUAL = List.of(DEFAULT, "x-forwarded-for", FORWARDED);

    /** The parameter {@code for} of an element of {@code Forwarded} (RFC 7239, 4). */
    private static final Pattern FOR =
            Pattern.compile("(?:^|;)\\s*for\\s*=\\s*\"?([^\";]*)\"?", Pattern.CASE_INSENSITIVE);

    /** An address of IPv4 with a port, or one in brackets with or without a port. */
    private static final Pattern WITH_PORT = Pattern.compile("([0-9.]+):\\d{1,5}|\\[([^\\]]+)\\](?::\\d{1,5})?");

    private final HttpSettings.Proxies proxies;
    private final List<String> headers;

    private final Set<String> warned = ConcurrentHashMap.newKeySet();

    public ClientAddress(HttpSettings.Proxies proxies) {
        this.proxies = proxies;
        var header = proxies.addressHeader().toLowerCase(Locale.ROOT);
        this.headers = header.equals(DEFAULT) ? USUAL : header.isEmpty() ? List.of() : List.of(header);
    }

    /** An IP address without its zone. */
    public String of(RoutingContext context) {
        var request = context.request();
        var peer = request.remoteAddress().hostAddress();
        for (var header : headers) {
            if (request.headers().contains(header)) {
                return of(peer, request.headers()::getAll);
            }
        }
        return withoutZone(peer);
    }

    /**
     * The address that the headers agree on; that of the connection when they differ, or without a header.
     *
     * @param sent values of a header, each of which may list several addresses
     */
    String of(String peer, Function<String, List<String>> sent) {
        var connection = withoutZone(peer);
        var clients = headers.stream()
                .map(name -> hops(name, sent.apply(name)))
                .filter(hops -> !hops.isEmpty())
                .map(hops -> client(connection, hops))
                .distinct()
                .toList();
        // A proxy behind another one may name that one, which is not a client.
        var untrusted = clients.stream().filter(client -> !isTrusted(client)).toList();
        return switch (untrusted.size()) {
            case 0 -> clients.isEmpty() ? connection : clients.getFirst();
            case 1 -> untrusted.getFirst();
            default -> {
                warnOnce(
                        connection,
                        "sends headers with different client addresses; configure it to overwrite all of them");
                yield connection;
            }
        };
    }

    private static List<String> hops(String header, List<String> values) {
        return values.stream()
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(hop -> header.equals(FORWARDED) ? forwardedFor(hop) : hop)
                .toList();
    }

    private static String forwardedFor(String element) {
        var named = FOR.matcher(element);
        return named.find() ? named.group(1) : "";
    }

    /**
     * Walks from the nearest to the farthest: each trusted proxy names the one before it. A header of an untrusted proxy is
     * not read, since it may name any address.
     */
    private String client(String connection, List<String> hops) {
        var client = connection;
        for (var hop : hops.reversed()) {
            var address = literal(hop.strip());
            if (!isTrusted(client) || address.isEmpty()) {
                if (!isTrusted(client) && isPrivate(client)) {
                    warnOnce(
                            client,
                            "sends a client address but is not trusted: if it is a proxy, add it to AP_TRUSTED_PROXIES");
                }
                return client;
            }
            client = address.get();
        }
        return client;
    }

    /** All clients of a proxy share its limits when it is not trusted, or sets too few headers: this is the only trace of it. */
    private void warnOnce(String peer, String fault) {
        if (warned.add(fault)) {
            LOG.warn("{} {} (headers {})", peer, fault, headers);
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
        var withPort = WITH_PORT.matcher(text);
        var address = !withPort.matches() ? text : withPort.group(1) == null ? withPort.group(2) : withPort.group(1);
        try {
            return Optional.of(withoutZone(InetAddress.ofLiteral(address).getHostAddress()));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    private static String withoutZone(String address) {
        var zone = address.indexOf('%');
        return zone < 0 ? address : address.substring(0, zone);
    }
}
