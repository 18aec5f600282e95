package io.millrace.base.http;

import io.millrace.base.config.HttpSettings;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.InetAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The host and port under which callers are to address this server. A caller may write anything into {@code Host}, so it is
 * trusted only where it agrees with the connection (decision 0081).
 */
public final class NamedAuthority {
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}])(?::[0-9]{1,5})?");
    private static final String FORWARDED_HOST = "X-Forwarded-Host";
    private static final int HTTP_PORT = 80;

    private final boolean isConfigured;
    private final HttpSettings.Proxies proxies;
    private final Supplier<String> publicUrl;

    /** @param publicUrl address of the server, with the port that it listens on */
    public NamedAuthority(HttpSettings settings, Supplier<String> publicUrl) {
        this.isConfigured = settings.frontendUrl().isPresent();
        this.proxies = settings.proxies();
        this.publicUrl = publicUrl;
    }

    /** The authority of the public URL; without one, that of a trusted proxy, or of the connection. */
    public String of(HttpServerRequest request) {
        var usual = URI.create(publicUrl.get()).getRawAuthority();
        return isConfigured
                ? usual
                : forwarded(request).or(() -> connected(request)).orElse(usual);
    }

    /** Authority that the nearest proxy reports as requested; read only from a trusted proxy. */
    private Optional<String> forwarded(HttpServerRequest request) {
        var named = request.getHeader(FORWARDED_HOST);
        return Optional.ofNullable(named)
                .filter(_ -> isTrusted(request.remoteAddress().hostAddress()))
                .flatMap(hosts -> Arrays.stream(hosts.split(",")).reduce((_, last) -> last))
                .map(String::strip)
                .filter(host -> HOST.matcher(host).matches());
    }

    private boolean isTrusted(String peer) {
        var address = literal(peer);
        return address.isPresent()
                && proxies.trusted().stream()
                        .anyMatch(block -> block.contains(address.get().getAddress()));
    }

    /** The header, where it names the address and the port at which this very request has arrived. */
    private static Optional<String> connected(HttpServerRequest request) {
        var header = request.getHeader("Host");
        if (header == null || !HOST.matcher(header).matches()) {
            return Optional.empty();
        }
        var named = HostAndPort.parseAuthority(header, HTTP_PORT);
        var local = request.localAddress();
        var isHere = named != null
                && local.hostAddress() != null
                && named.port() == local.port()
                && isAddress(named.host(), local.hostAddress());
        return isHere ? Optional.of(header) : Optional.empty();
    }

    private static boolean isAddress(String named, String local) {
        var own = literal(local);
        if (named.toLowerCase(Locale.ROOT).equals("localhost")) {
            return own.filter(InetAddress::isLoopbackAddress).isPresent();
        }
        var bare = named.startsWith("[") ? named.substring(1, named.length() - 1) : named;
        return own.isPresent() && literal(bare).equals(own);
    }

    private static Optional<InetAddress> literal(String text) {
        try {
            var zone = text.indexOf('%');
            return Optional.of(InetAddress.ofLiteral(zone < 0 ? text : text.substring(0, zone)));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }
}
