package io.millrace.base.http;

import io.millrace.base.access.Principal;
import io.millrace.base.config.HttpLimitSettings;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.vertx.ext.web.RoutingContext;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Rate limits of the API per user or API key, and per address (decision 0093). Every request of an address counts, before its
 * body is read; of a caller only requests with a valid token. Calls that start or resume flows and calls of pieces are
 * exempt: the limits of runs bound them.
 *
 * <p>One instance serves all event loops. Each node counts for itself: announcing each request to the others would cost more
 * than most requests do.
 */
public final class ApiRateLimit {
    private final Supplier<HttpLimitSettings.ApiRates> settings;
    private final RequestWindows addresses;
    private final RequestWindows callers;
    private final EventCounter refusedAddresses;
    private final EventCounter refusedCallers;

    /** @param settings may change from one request to the next */
    public ApiRateLimit(Supplier<HttpLimitSettings.ApiRates> settings, MeterSet meters, InstantSource clock) {
        this.settings = settings;
        this.addresses = new RequestWindows(clock);
        this.callers = new RequestWindows(clock);
        this.refusedAddresses = meters.counter(ServerMeter.API_REFUSALS, "ADDRESS");
        this.refusedCallers = meters.counter(ServerMeter.API_REFUSALS, "CALLER");
    }

    void admit(RoutingContext context, ClientAddress clients) {
        var rates = settings.get();
        if (rates.perAddressMax() > 0) {
            var client = RequestWindows.network(clients.of(context));
            refuse(context, addresses.count(client, rates.perAddressMax(), rates.window()), refusedAddresses);
        }
    }

    void admit(RoutingContext context, Principal principal) {
        var rates = settings.get();
        if (rates.perCallerMax() > 0) {
            switch (principal) {
                case Principal.SignedInUser user -> admit(context, "user " + user.id(), rates);
                case Principal.Service service -> admit(context, "key " + service.keyId(), rates);
                case Principal.Newcomer newcomer -> admit(context, "identity " + newcomer.identityId(), rates);
                case Principal.McpServerToken token -> admit(context, "mcp " + token.serverId(), rates);
                case Principal.Engine _, Principal.Anonymous _ -> {}
            }
        }
    }

    private void admit(RoutingContext context, String caller, HttpLimitSettings.ApiRates rates) {
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
