package io.millrace.base.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Base class of tests of outbound calls to a server on this host, with small limits. */
@ExtendWith(VertxExtension.class)
abstract class OutboundCalls {
    static final int LIMIT = 64 * 1024;
    static final OutboundLimits LIMITS = new OutboundLimits(60_000, 60_000, LIMIT, 4, 100);

    Vertx vertx;
    OutboundHttp http;

    @BeforeEach
    void open(Vertx running) {
        vertx = running;
        http = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), LIMITS);
    }

    OutboundHttp client(NameLookup lookup) {
        return new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), LIMITS, lookup, new HttpClientOptions());
    }

    static OutboundFailure failed(Future<?> exchange, OutboundFailure.Kind kind) {
        var failure = LocalServer.failure(exchange);
        assertThat(failure).isInstanceOf(OutboundFailure.class);
        assertThat(((OutboundFailure) failure).kind()).as(failure.getMessage()).isEqualTo(kind);
        return (OutboundFailure) failure;
    }

    static OutboundRequest get(LocalServer server, String target) {
        return OutboundRequest.of("GET", address(server, target));
    }

    static WebAddress address(LocalServer server, String target) {
        return WebAddress.parse(server.url(target));
    }
}
