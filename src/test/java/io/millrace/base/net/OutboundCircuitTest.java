package io.millrace.base.net;

import static io.millrace.base.net.LocalServer.failure;
import static io.millrace.base.net.LocalServer.result;
import static io.millrace.base.net.LocalServer.succeeds;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.net.OutboundFailure.Kind;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The server's own calls to a host that does not answer. */
final class OutboundCircuitTest {
    private static final int FAILURES_MAX = 3;

    private final Vertx vertx = Vertx.vertx();
    private final AtomicBoolean isDown = new AtomicBoolean(true);
    private LocalServer host;
    private OutboundHttp plain;

    @BeforeEach
    void start() {
        host = LocalServer.start(vertx, this::answer);
        plain = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
    }

    @AfterEach
    void stop() {
        result(vertx.close());
    }

    /** Closes the connection while it is down; {@code /broken} answers with an error. */
    private void answer(HttpServerRequest request) {
        if (request.path().equals("/broken")) {
            request.response().setStatusCode(500).end();
        } else if (isDown.get()) {
            request.connection().close();
        } else {
            request.response().end("here");
        }
    }

    private OutboundRequest request(LocalServer server, String target) {
        return OutboundRequest.of("GET", WebAddress.parse(server.url(target)));
    }

    private Kind failed(OutboundHttp http) {
        return ((OutboundFailure) failure(http.send(request(host, "/")))).kind();
    }

    @Test
    void doesNotCallAHost_thatHasNotAnsweredForTooOften() {
        // given a host that closes its connections
        var http = plain.withCircuitBreakers(FAILURES_MAX, Duration.ofMinutes(10));
        for (var call = 0; call < FAILURES_MAX; call++) {
            assertThat(failed(http)).isEqualTo(Kind.CONNECTION_RESET);
        }
        var asked = host.asked().size();

        // then the circuit of this host is open; other hosts and calls of flows are not affected
        assertThat(failed(http)).isEqualTo(Kind.CIRCUIT_OPEN);
        assertThat(host.asked()).hasSize(asked);
        var other = LocalServer.start(vertx, request -> request.response().end("other"));
        assertThat(succeeds(http.send(request(other, "/")))).isTrue();
        assertThat(failed(plain)).isEqualTo(Kind.CONNECTION_RESET);
    }

    @Test
    void callsAgain_afterThePause() {
        var http = plain.withCircuitBreakers(FAILURES_MAX, Duration.ofMillis(50));
        for (var call = 0; call < FAILURES_MAX; call++) {
            failed(http);
        }
        isDown.set(false);

        Waiting.until("it is called again", () -> succeeds(http.send(request(host, "/"))));
        assertThat(succeeds(http.send(request(host, "/")))).isTrue();
    }

    @Test
    void takesAnAnswerForAnAnswer_whateverItSays() {
        var http = plain.withCircuitBreakers(FAILURES_MAX, Duration.ofMinutes(10));

        for (var call = 0; call < 3 * FAILURES_MAX; call++) {
            assertThat(result(http.send(request(host, "/broken"))).status()).isEqualTo(500);
        }
    }
}
