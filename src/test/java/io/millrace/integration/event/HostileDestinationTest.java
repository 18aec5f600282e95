package io.millrace.integration.event;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.trace.Tracer;
import io.millrace.hostile.HostileKind;
import io.millrace.support.Waiting;
import io.millrace.support.outside.HostileOutside;
import io.millrace.support.outside.HostilePeer;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious event receivers: exhaustion of connections, and SSRF. */
@HostileKind("event destination")
final class HostileDestinationTest {
    /** Longer than a busy machine needs to read a status. */
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @AutoClose
    private final HostileOutside outside = HostileOutside.open();

    private final Vertx vertx = outside.vertx();
    private final HostilePeer peer = outside.peer();
    private final Bus bus = new Bus(vertx);
    private final OutboundHttp http = outside.http();

    private void send(String url, Duration timeout) {
        var sender = new EventSender(bus, http, List.of(), timeout, Tracer.OFF, InstantSource.system());
        var sent = Promise.<Void>promise();
        vertx.runOnContext(_ -> sender.send(
                        url, "d1", "flow.created", Json.object().put("id", "e1"), Optional.of("whsec_kept"), Fence.OPEN)
                .onComplete(sent));
        await(sent.future());
    }

    /** A successful status suffices: the sender neither evaluates the response body nor waits for its end. */
    @Test
    void takesAStatusForAnAnswer_andGivesUpABodyThatHasNoEnd() {
        peer.sayWithoutEnd(200);
        send(peer.url(), TIMEOUT);
        Waiting.until("the connection is given up", peer.isGivenUp::get);
        assertThat(peer.taken.get()).isLessThan(16 * 1024 * 1024);

        peer.sayTooSlowly(202);
        send(peer.url(), TIMEOUT);
        Waiting.until("the connection is given up", peer.isGivenUp::get);
    }

    @Test
    void usesTheConnectionAgain_whenTheAnswerWasShort() {
        var connections = ConcurrentHashMap.<Object>newKeySet();
        peer.answer(request -> {
            connections.add(request.connection());
            request.response().end("thank you ".repeat(100));
        });
        for (var index = 0; index < 3; index++) {
            send(peer.url(), TIMEOUT);
        }
        assertThat(connections).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void isLedNowhereElse(int status) {
        for (var location : peer.forbidden()) {
            peer.redirect(status, location);
            assertThatThrownBy(() -> send(peer.url(), TIMEOUT)).hasMessage("expected status 2xx, found " + status);
        }
        peer.redirect(status, peer.url() + "/elsewhere");
        assertThatThrownBy(() -> send(peer.url(), TIMEOUT)).hasMessage("expected status 2xx, found " + status);
        assertThat(peer.asked).doesNotContain("POST /elsewhere", "GET /elsewhere");
    }

    @Test
    void sendsNothingWhereItMayNot() {
        for (var url : peer.forbidden().subList(0, 3)) {
            assertThatThrownBy(() -> send(url, TIMEOUT)).hasMessageContaining("blocked");
        }
    }

    @Test
    void endsInTime_withoutAResponse() {
        peer.answer(request -> {});
        assertThatThrownBy(() -> send(peer.url(), Duration.ofMillis(300))).hasMessageContaining("exceeded");
    }

    @Test
    void takesNoRefusalForAnAnswer_howeverLongItIs() {
        peer.sayWithoutEnd(500);
        assertThatThrownBy(() -> send(peer.url(), TIMEOUT)).hasMessage("expected status 2xx, found 500");
        Waiting.until("the connection is given up", peer.isGivenUp::get);
    }
}
