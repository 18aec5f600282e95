package io.millrace.support.outside;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;

/** Hostile peer on this host, and a client that may call it; its close asserts that no internal address was called. */
public record HostileOutside(Vertx vertx, HostilePeer peer, OutboundHttp http) implements AutoCloseable {
    public static HostileOutside open() {
        var vertx = Vertx.vertx();
        var http = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        return new HostileOutside(vertx, new HostilePeer(), http);
    }

    @Override
    public void close() {
        assertThat(peer.askedInside).isEmpty();
        peer.close();
        Waiting.await(vertx.close());
    }
}
