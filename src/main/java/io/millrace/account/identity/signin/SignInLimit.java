package io.millrace.account.identity.signin;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.ClientAddress;
import io.vertx.ext.web.RoutingContext;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Counts the sign-in requests of each client in windows of fixed length (contract admin-api 1.13). Nodes tell each other
 * what they count: what a client sends to several of them at the same moment may be admitted by each.
 *
 * <p>One instance serves all routes of signing in, on all event loops, so that they share one count. Memory is bounded:
 * beyond the bound the window that ends first is forgotten.
 */
public final class SignInLimit {
    /** About 10 MB at worst. */
    private static final int ADDRESSES_MAX = 50_000;

    private static final int SUBSCRIBER_BYTES = 8;

    private static final String SIGN_IN = "sign-in";
    private static final String CODES = "codes";

    private final String name;
    private final Bus bus;
    private final Supplier<Config.SignIn> settings;
    private final ToIntFunction<Config.SignIn> requestsMax;
    private final ClientAddress clients;
    private final InstantSource clock;

    /** In the order in which windows were opened, which is the order in which they end. */
    private final Map<String, Window> windows = new LinkedHashMap<>();

    /**
     * A node has counted a request.
     *
     * @param limit which limit counts it
     * @param client network that it came from
     */
    public record Counted(String limit, String client) implements ClusterNotice {}

    /**
     * A limit of all requests around signing in.
     *
     * @param settings may change from one request to the next
     */
    public SignInLimit(Bus bus, Supplier<Config.SignIn> settings, Config.Proxies proxies, InstantSource clock) {
        this(SIGN_IN, bus, settings, Config.SignIn::requestsMax, proxies, clock);
    }

    /** A limit of requests that make this server send mail. */
    public static SignInLimit ofCodes(
            Bus bus, Supplier<Config.SignIn> settings, Config.Proxies proxies, InstantSource clock) {
        return new SignInLimit(CODES, bus, settings, Config.SignIn::codesMax, proxies, clock);
    }

    private SignInLimit(
            String name,
            Bus bus,
            Supplier<Config.SignIn> settings,
            ToIntFunction<Config.SignIn> requestsMax,
            Config.Proxies proxies,
            InstantSource clock) {
        this.name = name;
        this.bus = bus;
        this.settings = settings;
        this.requestsMax = requestsMax;
        this.clients = new ClientAddress(proxies);
        this.clock = clock;
    }

    /** Hears from now on what other nodes count. */
    public void open(Bus ofNode) {
        ofNode.on(Counted.class, counted -> {
            if (counted.limit().equals(name)) {
                countOf(counted.client());
            }
        });
    }

    private record Window(Instant end, int requests) {}

    /** Counts the request, or refuses it and tells the caller when to come back. */
    public void admit(RoutingContext context) {
        if (!settings.get().limited()) {
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
    long count(String address) {
        var client = network(address);
        var waitSeconds = countOf(client);
        if (waitSeconds == 0) {
            bus.publishElsewhere(new Counted(name, client));
        }
        return waitSeconds;
    }

    /** A subscriber of IPv6 has a network of 64 bits, and could send every request from another address. */
    private static String network(String address) {
        return address.contains(":")
                ? HexFormat.of().formatHex(InetAddress.ofLiteral(address).getAddress(), 0, SUBSCRIBER_BYTES)
                : address;
    }

    private synchronized long countOf(String client) {
        var now = clock.instant();
        forgetEnded(now);
        var window = windows.get(client);
        if (window == null) {
            makeRoom();
            windows.put(client, new Window(now.plus(settings.get().window()), 1));
            return 0;
        }
        if (window.requests() >= requestsMax.applyAsInt(settings.get())) {
            return Math.max(
                    1, Duration.between(now, window.end()).plusMillis(999).toSeconds());
        }
        windows.put(client, new Window(window.end(), window.requests() + 1));
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
