package io.millrace.identity;

import io.millrace.config.Config;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.http.ClientAddress;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts the sign-in requests of each client address in windows of fixed length (contract admin-api 1.13).
 *
 * <p>Called from several event loops. Memory is bounded: beyond the bound the window that ends first is forgotten.
 */
final class SignInLimit {
    /** About 10 MB at worst: an address of the header is cut to 64 characters. */
    private static final int ADDRESSES_MAX = 50_000;

    private final Config.SignIn settings;
    private final ClientAddress clients;
    private final InstantSource clock;

    /** In the order in which windows were opened, which is the order in which they end. */
    private final Map<String, Window> windows = new LinkedHashMap<>();

    SignInLimit(Config.SignIn settings, String addressHeader, InstantSource clock) {
        this.settings = settings;
        this.clients = new ClientAddress(addressHeader);
        this.clock = clock;
    }

    private record Window(Instant end, int requests) {}

    /** Counts the request, or refuses it and tells the caller when to come back. */
    void admit(RoutingContext context) {
        if (!settings.limited()) {
            return;
        }
        var waitSeconds = count(clients.of(context));
        if (waitSeconds > 0) {
            context.response().putHeader("Retry-After", Long.toString(waitSeconds));
            throw ApiException.of(
                    ErrorCode.TOO_MANY_REQUESTS, "Rate limit exceeded, retry in " + waitSeconds + " seconds");
        }
    }

    /** Counts one request of the address; answers the seconds to wait, 0 when the request is admitted. */
    synchronized long count(String address) {
        var now = clock.instant();
        forgetEnded(now);
        var window = windows.get(address);
        if (window == null) {
            makeRoom();
            windows.put(address, new Window(now.plus(settings.window()), 1));
            return 0;
        }
        if (window.requests() >= settings.requestsMax()) {
            return Math.max(
                    1, Duration.between(now, window.end()).plusMillis(999).toSeconds());
        }
        windows.put(address, new Window(window.end(), window.requests() + 1));
        return 0;
    }

    private void forgetEnded(Instant now) {
        var eldest = windows.values().iterator();
        while (eldest.hasNext() && !eldest.next().end().isAfter(now)) {
            eldest.remove();
        }
    }

    private void makeRoom() {
        if (windows.size() >= ADDRESSES_MAX) {
            var eldest = windows.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }
}
