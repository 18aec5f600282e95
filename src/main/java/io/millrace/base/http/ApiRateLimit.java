package io.millrace.base.http;

import io.millrace.base.access.Principal;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Bounds how often one user or API key, and one address, may ask the API (decision 0285). Of an address every request counts,
 * and before its body is read; of a caller those whose token was good. Whoever starts or resumes flows does not come here, and
 * code of pieces is not counted: what they may do is bounded by the runs.
 *
 * <p>One instance serves all event loops. Each node counts for itself: to tell the others of each request would cost more than
 * most requests do.
 */
public final class ApiRateLimit {
    private final Supplier<Config.ApiRates> settings;
    private final RequestWindows addresses;
    private final RequestWindows callers;
    private final EventCounter refusedAddresses;
    private final EventCounter refusedCallers;

    /** @param settings may change from one request to the next */
    public ApiRateLimit(Supplier<Config.ApiRates> settings, MeterSet meters, InstantSource clock) {
        this.settings = settings;
        this.addresses = new RequestWindows(clock);
        this.callers = new RequestWindows(clock);
        this.refusedAddresses = meters.counter(ServerMeter.API_REFUSALS, "ADDRESS");
        this.refusedCallers = meters.counter(ServerMeter.API_REFUSALS, "CALLER");
    }

    /** Counts a request of an address, or refuses it. */
    void admit(RoutingContext context, ClientAddress clients) {
        var rates = settings.get();
        if (rates.perAddressMax() > 0) {
            var client = RequestWindows.network(clients.of(context));
            refuse(context, addresses.count(client, rates.perAddressMax(), rates.window()), refusedAddresses);
        }
    }

    /** Counts a request of a caller, or refuses it. */
    void admit(RoutingContext context, Principal principal) {
        var rates = settings.get();
        if (rates.perCallerMax() > 0) {
            switch (principal) {
                case Principal.SignedInUser user -> admit(context, "user " + user.id(), rates);
                case Principal.Service service -> admit(context, "key " + service.keyId(), rates);
                case Principal.Newcomer newcomer -> admit(context, "identity " + newcomer.identityId(), rates);
                case Principal.Engine _, Principal.Anonymous _ -> {}
            }
        }
    }

    private void admit(RoutingContext context, String caller, Config.ApiRates rates) {
        refuse(context, callers.count(caller, rates.perCallerMax(), rates.window()), refusedCallers);
    }

    private static void refuse(RoutingContext context, long waitSeconds, EventCounter refused) {
        if (waitSeconds > 0) {
            refused.increment();
            context.response().putHeader("Retry-After", Long.toString(waitSeconds));
            throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, RequestWindows.refusal(waitSeconds));
        }
    }
}
