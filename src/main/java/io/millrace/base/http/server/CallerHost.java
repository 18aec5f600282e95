package io.millrace.base.http.server;

import io.millrace.base.config.HttpSettings;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The host for callers of flows (AP_WEBHOOK_URL). It serves responses of authors and therefore nothing else: no API, no page
 * of ours except those for guests, and so no session that a script there could use (decision 0104).
 */
final class CallerHost {
    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;
    private static final Pattern SERVED = Pattern.compile("/api/v1/(?:webhooks|app-events|human-input)/.*"
            + "|/api/v1/flow-runs/[^/]+/(?:waitpoints|requests)/.*"
            + "|/(?:forms|chats)/.*"
            // The files and pictures of those two, and no other file of ours.
            + "|/assets/(?:guest-[A-Z0-9]{8}\\.(?:js|css)|favicon\\.svg|logo-(?:icon|full)\\.svg)"
            + "|/api/v1/platforms/assets/[^/]+");

    private final Optional<URI> own;

    CallerHost(HttpSettings settings) {
        this.own = settings.webhookUrl().map(URI::create);
    }

    /** Returns true if a request may be routed: always, unless it names the host of callers. */
    boolean serves(RoutingContext context) {
        return own.isEmpty()
                || !isNamed(own.get(), context)
                || SERVED.matcher(context.normalizedPath()).matches();
    }

    private static boolean isNamed(URI url, RoutingContext context) {
        var named = context.request().authority();
        var usual = url.getScheme().equalsIgnoreCase("https") ? HTTPS_PORT : HTTP_PORT;
        return named != null
                && withoutDot(named.host()).equals(withoutDot(url.getHost()))
                && portOr(usual, named.port()) == portOr(usual, url.getPort());
    }

    /** A name with a dot at its end is the same host (RFC 1034 3.1). */
    private static String withoutDot(String host) {
        var lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }

    private static int portOr(int usual, int port) {
        return port == -1 ? usual : port;
    }
}
