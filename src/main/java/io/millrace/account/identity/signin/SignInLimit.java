package io.millrace.account.identity.signin;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.config.HttpSettings;
import io.millrace.base.config.SignInSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.http.ClientAddress;
import io.millrace.base.http.RequestWindows;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Rate limit of sign-in requests per client in windows of fixed length (contract admin-api 1.13). Nodes exchange their counts
 * asynchronously: simultaneous requests to several nodes may be admitted by each.
 *
 * <p>One instance serves all sign-in routes, on all event loops, so that they share one count. Other routes have separate
 * counts.
 */
public final class SignInLimit {
    private static final String SIGN_IN = "sign-in";
    private static final String CODES = "codes";
    private static final String REGISTRATIONS = "registrations";

    private final String name;
    private final Bus bus;
    private final Supplier<SignInSettings> settings;
    private final ToIntFunction<SignInSettings.Limits> requestsMax;
    private final ClientAddress clients;
    private final RequestWindows windows;

    /**
     * A node has counted a request.
     *
     * @param limit name of the limit
     * @param client network of the client
     */
    public record Counted(String limit, String client) implements ClusterNotice {}

    /**
     * A limit of all sign-in requests.
     *
     * @param settings read for each request, because they may change
     */
    public SignInLimit(Bus bus, Supplier<SignInSettings> settings, HttpSettings.Proxies proxies, InstantSource clock) {
        this(SIGN_IN, bus, settings, SignInSettings.Limits::requestsMax, proxies, clock);
    }

    /** A limit of requests that make this server send mail. */
    public static SignInLimit ofCodes(
            Bus bus, Supplier<SignInSettings> settings, HttpSettings.Proxies proxies, InstantSource clock) {
        return new SignInLimit(CODES, bus, settings, SignInSettings.Limits::codesMax, proxies, clock);
    }

    /** A limit of client registrations: each adds a row without a credential, and is not a sign-in attempt. */
    public static SignInLimit ofRegistrations(
            Bus bus, Supplier<SignInSettings> settings, HttpSettings.Proxies proxies, InstantSource clock) {
        return new SignInLimit(REGISTRATIONS, bus, settings, SignInSettings.Limits::requestsMax, proxies, clock);
    }

    private SignInLimit(
            String name,
            Bus bus,
            Supplier<SignInSettings> settings,
            ToIntFunction<SignInSettings.Limits> requestsMax,
            HttpSettings.Proxies proxies,
            InstantSource clock) {
        this.name = name;
        this.bus = bus;
        this.settings = settings;
        this.requestsMax = requestsMax;
        this.clients = new ClientAddress(proxies);
        this.windows = new RequestWindows(clock);
    }

    public void open(Bus ofNode) {
        ofNode.on(Counted.class, counted -> {
            if (counted.limit().equals(name)) {
                countOf(counted.client());
            }
        });
    }

    /** Counts the request, or refuses it with the time of the next permitted attempt. */
    public void admit(RoutingContext context) {
        if (!settings.get().limits().isOn()) {
            return;
        }
        var waitSeconds = count(clients.of(context));
        if (waitSeconds > 0) {
            context.response().putHeader("Retry-After", Long.toString(waitSeconds));
            throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, RequestWindows.refusal(waitSeconds));
        }
    }

    /** Counts one request of the address; returns the seconds to wait, 0 when the request is admitted. */
    long count(String address) {
        var client = RequestWindows.network(address);
        var waitSeconds = countOf(client);
        if (waitSeconds == 0) {
            bus.publishElsewhere(new Counted(name, client));
        }
        return waitSeconds;
    }

    private long countOf(String client) {
        var now = settings.get().limits();
        return windows.count(client, requestsMax.applyAsInt(now), now.window());
    }
}
