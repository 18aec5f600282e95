package io.millrace.workspace.oauth;

import io.millrace.base.bus.Bus;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.persistence.BusService;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;
import java.util.List;

/**
 * OAuth 2, both sides of it, on an event loop of its own: what this server asks of providers ({@link OAuthTokens}), and
 * what clients ask of this server as an authorization server. A provider that takes its time holds up nothing else.
 */
public final class OAuthVerticle extends VerticleBase {
    private final Bus bus;
    private final OutboundHttp http;
    private final List<BusService> services;
    private final InstantSource clock;

    /** @param services of the modules above that belong here: the token endpoint, the clients of a platform */
    public OAuthVerticle(Bus bus, OutboundHttp http, List<BusService> services, InstantSource clock) {
        this.bus = bus;
        this.http = http;
        this.services = List.copyOf(services);
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        var tokens = new TokenExchange(vertx, http, clock);
        bus.serve(OAuthTokens.Claim.class, claim -> tokens.claim(claim.provider(), claim.request()));
        bus.serve(OAuthTokens.Renew.class, renew -> tokens.renew(renew.value(), renew.clientSecret()));
        services.forEach(service -> service.open(bus));
        return Future.succeededFuture();
    }
}
