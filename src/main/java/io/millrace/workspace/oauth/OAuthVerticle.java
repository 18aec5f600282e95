package io.millrace.workspace.oauth;

import io.millrace.base.bus.Bus;
import io.millrace.base.net.OutboundHttp;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.InstantSource;

/**
 * Calls OAuth 2 providers ({@link OAuthTokens}) on a separate event loop, so that a slow provider blocks no other requests. A
 * persistence verticle on the same event loop serves the authorization server's clients.
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
