package io.millrace.workspace.oauth;

import io.millrace.base.bus.Bus;
import io.millrace.base.net.OutboundHttp;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;

/**
 * What this server asks of OAuth 2 providers ({@link OAuthTokens}), on an event loop of its own: a provider that takes its
 * time holds up nothing else. What clients ask of this server as an authorization server is answered on the same event
 * loop, by a persistence verticle.
 */
public final class OAuthVerticle extends VerticleBase {
    private final Bus bus;
    private final OutboundHttp http;
    private final InstantSource clock;

    public OAuthVerticle(Bus bus, OutboundHttp http, InstantSource clock) {
        this.bus = bus;
        this.http = http;
        this.clock = clock;
    }

    @Override
    public Future<?> start() {
        var tokens = new TokenExchange(vertx, http, clock);
        bus.serve(OAuthTokens.Claim.class, claim -> tokens.claim(claim.provider(), claim.request()));
        bus.serve(OAuthTokens.Renew.class, renew -> tokens.renew(renew.value(), renew.clientSecret()));
        return Future.succeededFuture();
    }
}
