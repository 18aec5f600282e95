package io.millrace.base.net;

import static io.millrace.base.net.LocalServer.failure;
import static io.millrace.base.net.LocalServer.result;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.coding.ZstdTest;
import io.millrace.base.net.OutboundFailure.Kind;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Time and size limits of outbound calls, and failures of peers. */
class OutboundLimitsTest extends OutboundCalls {
    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "raw deflate"})
    void decompresses(String kind) throws IOException {
        var packed = packed(kind, "text ".repeat(1000).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .putHeader("Content-Encoding", kind.replace("raw ", ""))
                        .end(packed));

        var response = result(http.send(get(server, "/")));

        assertThat(response.body().toString()).isEqualTo("text ".repeat(1000));
        assertThat(response.headers().contains("content-encoding")).isFalse();
    }

    @Test
    void decompressesZstd_withinTheLimit() {
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .putHeader("Content-Encoding", "zstd")
                        .end(Buffer.buffer(ZstdTest.resource(request.path().substring(1)))));

        var response = result(http.send(get(server, "/small.zst")));

        assertThat(response.body().toString()).isEqualTo(ZstdTest.SMALL);
        assertThat(response.headers().contains("content-encoding")).isFalse();
        failed(http.send(get(server, "/zeros.zst")), Kind.BODY_TOO_LARGE);
    }

    @Test
    void leavesAnEncodingThatItDoesNotKnow_withItsHeader() {
        var server = LocalServer.start(
                vertx,
                request ->
                        request.response().putHeader("Content-Encoding", "br").end("packed"));

        var response = result(http.send(get(server, "/")));

        assertThat(response.body().toString()).isEqualTo("packed");
        assertThat(response.headers().get("content-encoding")).isEqualTo("br");
    }

    @Test
    void stopsInflatingABomb_atTheLimit() throws IOException {
        var bomb = packed("gzip", new byte[32 * 1024 * 1024]);
        assertThat(bomb.length()).isLessThan(LIMIT);
        var server = LocalServer.start(
                vertx,
                request ->
                        request.response().putHeader("Content-Encoding", "gzip").end(bomb));

        failed(http.send(get(server, "/")), Kind.BODY_TOO_LARGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "zstd", "gzip, zstd"})
    void refusesABodyThatDoesNotMatchItsEncoding(String encoding) {
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .putHeader("Content-Encoding", encoding)
                        .end("plain"));

        failed(http.send(get(server, "/")), Kind.MALFORMED_RESPONSE);
    }

    @Test
    void acceptsABodyOfExactlyTheLimit_andRefusesOneByteMore() {
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .end(Buffer.buffer(new byte[request.path().equals("/fits") ? LIMIT : LIMIT + 1])));

        assertThat(result(http.send(get(server, "/fits"))).body().length()).isEqualTo(LIMIT);
        assertThat(failed(http.send(get(server, "/more")), Kind.BODY_TOO_LARGE))
                .hasMessage("the response body is larger than the limit of " + LIMIT + " bytes");
    }

    /** A caller may lower the limit for its call, and cannot raise it. */
    @Test
    void acceptsABodyOfTheRequestsOwnLimit_andRefusesOneByteMore() {
        var server = LocalServer.start(
                vertx,
                request -> request.response()
                        .end("x".repeat(Integer.parseInt(request.path().substring(1)))));

        var fits = result(http.send(get(server, "/100").withBodyBytesMax(100)));
        assertThat(fits.body().length()).isEqualTo(100);
        failed(http.send(get(server, "/101").withBodyBytesMax(100)), Kind.BODY_TOO_LARGE);
        failed(http.send(get(server, "/" + (LIMIT + 1)).withBodyBytesMax(LIMIT + 1)), Kind.BODY_TOO_LARGE);
    }

    @Test
    void closesTheConnection_whenAnEndlessBodyPassesTheLimit() {
        var closed = io.vertx.core.Promise.<Void>promise();
        var server = LocalServer.start(vertx, request -> {
            request.connection().closeHandler(_ -> closed.tryComplete());
            request.response().setChunked(true);
            vertx.setPeriodic(1, timer -> {
                if (request.response().closed()) {
                    vertx.cancelTimer(timer);
                } else {
                    request.response().write(Buffer.buffer(new byte[16 * 1024]));
                }
            });
        });

        failed(http.send(get(server, "/")), Kind.BODY_TOO_LARGE);
        result(closed.future());
    }

    @Test
    void timesOut_withoutAResponse_andClosesTheConnection() {
        var closed = io.vertx.core.Promise.<Void>promise();
        var server = LocalServer.start(vertx, request -> request.connection().closeHandler(_ -> closed.tryComplete()));

        var failure = failed(http.send(get(server, "/").withTimeoutMs(150)), Kind.TIMED_OUT);

        assertThat(failure).hasMessage("timeout of 150ms exceeded");
        result(closed.future());
    }

    @Test
    void timesOut_whenTheBodyNeverEnds() {
        var server = LocalServer.start(
                vertx, request -> request.response().setChunked(true).write("begun"));

        failed(http.send(get(server, "/").withTimeoutMs(150)), Kind.TIMED_OUT);
    }

    @Test
    void queuesCallsForAConnectionUpToTheLimit_andFailsTheNext() {
        // given a server that holds its responses until all permitted calls have arrived
        var held = new LinkedBlockingQueue<HttpServerRequest>();
        var server = LocalServer.start(vertx, held::add);
        var calls = new ArrayList<Future<OutboundResponse>>();
        IntStream.range(0, LIMITS.connectionsPerOriginMax()).forEach(_ -> calls.add(http.send(get(server, "/"))));
        Waiting.until("the connections are used", () -> held.size() == LIMITS.connectionsPerOriginMax());
        IntStream.range(0, LIMITS.waitingPerOriginMax()).forEach(_ -> calls.add(http.send(get(server, "/"))));

        // then
        failed(http.send(get(server, "/")), Kind.TOO_BUSY);

        // when
        vertx.setPeriodic(1, _ -> {
            for (var request = held.poll(); request != null; request = held.poll()) {
                request.response().end();
            }
        });

        // then
        result(Future.all(calls));
    }

    @Test
    void reportsConnectionRefused() {
        var port = FreePort.find().orElseThrow();
        var url = WebAddress.parse("http://127.0.0.1:" + port);
        var failure = failed(http.send(OutboundRequest.of("GET", url)), Kind.CONNECTION_REFUSED);

        assertThat(failure).hasMessage("connect ECONNREFUSED 127.0.0.1:" + port);
        assertThat(failure.errorName()).isEqualTo("FetchError");
    }

    @Test
    void reportsNameNotFound() {
        var nameless = client(_ -> Future.failedFuture(new java.net.UnknownHostException("x")));

        var url = WebAddress.parse("https://nowhere.test/secret");
        var failure = failed(nameless.send(OutboundRequest.of("GET", url)), Kind.NAME_NOT_FOUND);

        assertThat(failure).hasMessage("getaddrinfo ENOTFOUND nowhere.test");
    }

    @Test
    void reportsConnectionReset_whenTheServerCloses() {
        var server = LocalServer.start(vertx, request -> request.connection().close());

        failed(http.send(get(server, "/")), Kind.CONNECTION_RESET);
    }

    @Test
    void reportsMalformed_whenTheResponseIsNotHttp() {
        var server = result(vertx.createNetServer()
                .connectHandler(socket -> socket.handler(_ -> socket.end(Buffer.buffer("SSH-2.0-x\r\n\r\n"))))
                .listen(0, "127.0.0.1"));

        var url = WebAddress.parse("http://127.0.0.1:" + server.actualPort());

        failed(http.send(OutboundRequest.of("GET", url)), Kind.MALFORMED_RESPONSE);
    }

    private static Buffer packed(String kind, byte[] plain) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var packing = switch (kind) {
            case "gzip" -> new GZIPOutputStream(bytes);
            case "deflate" -> new DeflaterOutputStream(bytes);
            default -> new DeflaterOutputStream(bytes, new java.util.zip.Deflater(9, true));
        }) {
            packing.write(plain);
        }
        return Buffer.buffer(bytes.toByteArray());
    }
}
