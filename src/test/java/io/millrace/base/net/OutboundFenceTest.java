package io.millrace.base.net;

import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.net.OutboundFailure.Kind;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Requests of a run whose lease is lost before the request can be sent. */
class OutboundFenceTest extends OutboundCalls {
    private final AtomicBoolean held = new AtomicBoolean(true);

    private OutboundHttp fenced() {
        return http.fencedBy(() -> held::get);
    }

    @Test
    void sendsARequest_whileTheFenceIsHeld() {
        var server = LocalServer.start(vertx, request -> request.response().end("x"));

        assertThat(result(fenced().send(get(server, "/"))).status()).isEqualTo(200);
        assertThat(server.asked()).containsExactly("GET /");
    }

    @Test
    void sendsNoByte_whenTheFenceIsLostDuringTheNameLookup() {
        var received = Buffer.buffer();
        var peer = result(vertx.createNetServer()
                .connectHandler(socket -> socket.handler(bytes -> {
                    received.appendBuffer(bytes);
                    socket.end(Buffer.buffer("HTTP/1.1 204 No Content\r\n\r\n"));
                }))
                .listen(0, "127.0.0.1"));
        var client = client(_ -> {
                    held.set(false);
                    return Future.succeededFuture(List.of(InetAddress.getLoopbackAddress()));
                })
                .fencedBy(() -> held::get);

        failed(
                client.send(OutboundRequest.of("POST", WebAddress.parse("http://peer.test:" + peer.actualPort() + "/"))
                        .withBody(Buffer.buffer("charge the card"))),
                Kind.FENCED);

        result(http.send(
                OutboundRequest.of("GET", WebAddress.parse("http://127.0.0.1:" + peer.actualPort() + "/later"))));
        assertThat(received.toString()).startsWith("GET /later ").doesNotContain("charge");
    }

    @Test
    void sendsNothing_whenTheFenceIsLostInTheQueueForAConnection() {
        var release = Promise.<Void>promise();
        var server = LocalServer.start(
                vertx,
                request -> release.future().onSuccess(_ -> request.response().end("x")));
        var occupying = List.of(
                http.send(get(server, "/1")),
                http.send(get(server, "/2")),
                http.send(get(server, "/3")),
                http.send(get(server, "/4")));
        var waiting = fenced().send(get(server, "/waits"));
        while (server.asked().size() < occupying.size()) {
            Thread.onSpinWait();
        }

        held.set(false);
        release.complete();

        failed(waiting, Kind.FENCED);
        occupying.forEach(LocalServer::result);
        assertThat(server.asked()).hasSize(occupying.size()).doesNotContain("GET /waits");
    }

    @Test
    void sendsNothingOnAConnectionThatIsKeptOpen_andLeavesTheClientUsable() {
        var server = LocalServer.start(vertx, request -> request.response().end("x"));
        result(http.send(get(server, "/first")));

        held.set(false);
        failed(fenced().send(get(server, "/second")), Kind.FENCED);
        result(http.send(get(server, "/third")));

        assertThat(server.asked()).containsExactly("GET /first", "GET /third");
    }

    @Test
    void followsNoRedirect_whenTheFenceIsLostMeanwhile() {
        var server = LocalServer.start(vertx, request -> {
            held.set(false);
            request.response().setStatusCode(307).putHeader("Location", "/next").end();
        });

        failed(fenced().send(OutboundRequest.of("POST", address(server, "/")).followingRedirects(3)), Kind.FENCED);

        assertThat(server.asked()).containsExactly("POST /");
    }

    @Test
    void opensNoStream_whenTheFenceIsLost() {
        var server = LocalServer.start(vertx, request -> request.response().end("x"));
        held.set(false);
        var opened = Promise.<OutboundStream>promise();

        vertx.runOnContext(_ -> fenced().open(get(server, "/")).onComplete(opened));

        failed(opened.future(), Kind.FENCED);
        assertThat(server.asked()).isEmpty();
    }

    @Test
    void sendsNothingThroughAProxy_whenTheFenceIsLost() {
        var proxy = LocalServer.start(vertx, request -> request.response().end("x"));
        held.set(false);

        failed(
                fenced().send(OutboundRequest.of("GET", WebAddress.parse("http://127.0.0.1:1/secret"))
                        .through(new OutboundProxy("127.0.0.1", proxy.port(), Optional.empty()))),
                Kind.FENCED);

        assertThat(proxy.asked()).noneMatch(asked -> asked.contains("secret"));
    }

    @Test
    void asksEachFenceOfAClient_andTakesItWhenTheExchangeBegins() {
        var server = LocalServer.start(vertx, request -> request.response().end("x"));
        var taken = new AtomicInteger();
        var both = fenced().fencedBy(() -> {
                    taken.incrementAndGet();
                    return Fence.OPEN;
                })
                .toHosts(HostClass.WEB)
                .withCircuitBreakers(1, Duration.ofMinutes(1));

        result(both.send(get(server, "/")));
        held.set(false);
        failed(both.send(get(server, "/")), Kind.FENCED);
        failed(both.send(get(server, "/")), Kind.FENCED);
        held.set(true);

        assertThat(result(both.send(get(server, "/"))).status())
                .as("a refused request says nothing of its host")
                .isEqualTo(200);
        assertThat(taken.get()).isEqualTo(4);
    }

    @Test
    void holdsAFenceOfAClaim_untilItsPeriodIsOver() {
        var nanos = new AtomicLong(7);
        var fence = Fence.lasting(Duration.ofSeconds(1), nanos::get);

        nanos.addAndGet(999_999_999);
        assertThat(fence.isHeld()).isTrue();
        nanos.incrementAndGet();

        assertThat(fence.isHeld()).isFalse();
    }

    @Test
    void refusesWhatEitherOfTwoFencesRefuses() {
        for (var each : Map.of(true, false, false, true).entrySet()) {
            Fence one = each::getKey;
            assertThat(one.and(each::getValue).isHeld()).isFalse();
        }
        assertThat(Fence.OPEN.and(Fence.OPEN).isHeld()).isTrue();
    }
}
