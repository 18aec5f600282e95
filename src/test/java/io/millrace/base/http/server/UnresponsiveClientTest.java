package io.millrace.base.http.server;

import static io.millrace.base.http.server.VerticleBench.upgraded;
import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.access.Access;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Routes;
import io.millrace.base.http.socket.EventStream;
import io.millrace.base.http.socket.TextSocket;
import io.millrace.hostile.HostileKind;
import io.millrace.support.RawHttp;
import io.millrace.support.Waiting;
import io.netty.buffer.ByteBufUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.UncheckedIOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients that neither answer nor read: the server closes their connections. If the server has one slot for a
 * connection, the next client gets it as soon as the first one is closed.
 */
@HostileKind("HTTP edge")
final class UnresponsiveClientTest {
    private static final Map<String, String> ONE_PLACE = Map.of("AP_HTTP_CONNECTIONS_MAX", "1");
    private static final String SOCKET = "/v1/socket";
    private static final String PART = "x".repeat(32 * 1024);

    /** More than the socket buffers of both sides hold. */
    private static final ApiReply LARGE = ApiReply.ok(Json.object().put("text", PART.repeat(256)));

    /** Frames of a client have a mask; a mask of zeros leaves the data unchanged. */
    private static final String PING = "898000000000";

    private static final int FLOOD_BYTES = 64 << 20;

    private final Promise<Void> dropped = Promise.promise();

    private void mount(Routes routes) {
        routes.get(
                "/v1/echo", Access.everybody(), _ -> "", (_, _) -> Future.succeededFuture(ApiReply.ok(Json.object())));
        routes.get("/v1/large", Access.everybody(), _ -> "", (_, _) -> Future.succeededFuture(LARGE));
        routes.events("/v1/events", Access.everybody(), _ -> "", (call, _, stream) -> {
            stream.whenClosed(dropped::complete);
            fill(call.context().vertx(), stream);
        });
        routes.socket(
                SOCKET, (socket, _) -> socket.onText(String::new, text -> receive(socket, text)), it -> it.fail(400));
    }

    private void fill(Vertx vertx, EventStream stream) {
        if (!stream.isClosed()) {
            stream.send(Buffer.buffer("data: " + PART + "\n\n"));
            vertx.runOnContext(_ -> fill(vertx, stream));
        }
    }

    private void receive(TextSocket socket, String text) {
        if (text.equals("close")) {
            socket.close();
        } else {
            socket.whenClosed(dropped::tryComplete);
            fill(Vertx.currentContext().owner(), socket);
        }
    }

    private void fill(Vertx vertx, TextSocket socket) {
        if (!dropped.future().isComplete()) {
            socket.send(PART);
            vertx.runOnContext(_ -> fill(vertx, socket));
        }
    }

    private static byte[] frames(String hex, int count) {
        return ByteBufUtil.decodeHexDump(hex.repeat(count));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "closed by its handler, 818500000000636c6f7365",
        "a binary message, 828100000000ff",
        "a reserved operation, 838000000000",
        "a long control frame, 89fe00800000000000",
        "a continuation of no message, 808000000000"
    })
    void dropsASocketThatItCloses_whenTheClientDoesNotAnswer(String name, String last) {
        try (var server = new VerticleBench(ONE_PLACE, this::mount);
                var silent = upgraded(server.connect(), SOCKET)) {
            silent.send(ByteBufUtil.decodeHexDump(last));

            // the status of a close frame is 1000 or more
            assertThat(silent.frame()).startsWith("\u0003");
            assertThat(server.status("/v1/echo")).isEqualTo(200);
        }
    }

    @Test
    void dropsTheOldestSocket_whenTheClientDoesNotAnswer() {
        var settings = Map.of("AP_HTTP_CONNECTIONS_MAX", "2", "AP_LIVE_UNKNOWN_MAX", "1");
        try (var server = new VerticleBench(settings, this::mount);
                var oldest = upgraded(server.connect(), SOCKET);
                var next = upgraded(server.connect(), SOCKET)) {
            assertThat(oldest.frame()).startsWith("\u0003");
            assertThat(server.status("/v1/echo")).isEqualTo(200);
            assertThat(next.send(frames(PING, 1)).frame()).isEmpty();
        }
    }

    @Test
    void dropsASocket_whoseClientDoesNotRead() {
        try (var server = new VerticleBench(ONE_PLACE, this::mount);
                var unread = upgraded(server.reluctant(), SOCKET)) {
            unread.send(ByteBufUtil.decodeHexDump("818100000000" + "66"));

            await(dropped.future());
            assertThat(server.status("/v1/echo")).isEqualTo(200);
        }
    }

    @Test
    void dropsAStream_whoseClientDoesNotRead() {
        try (var server = new VerticleBench(ONE_PLACE, this::mount);
                var unread = server.reluctant()) {
            unread.send("GET /api/v1/events HTTP/1.1\nHost: h\n\n");

            await(dropped.future());
            assertThat(server.status("/v1/echo")).isEqualTo(200);
        }
    }

    @Test
    void dropsAnAnswer_whoseClientDoesNotReadItInTime() {
        var settings = Map.of("AP_HTTP_CONNECTIONS_MAX", "1", "AP_HTTP_BODY_TIMEOUT_SECONDS", "1");
        try (var server = new VerticleBench(settings, this::mount);
                var unread = server.reluctant()) {
            unread.send("GET /api/v1/large HTTP/1.1\nHost: h\n\n");
            assertThat(unread.answer(false).status()).isEqualTo(200);

            Waiting.until("its place is free", () -> server.isAnswered("/v1/echo"));
        }
    }

    @Test
    void dropsAClient_thatSendsPingsAndReadsNoPongs() {
        try (var server = new VerticleBench(Map.of(), this::mount);
                var unread = upgraded(server.reluctant(), SOCKET)) {
            var pings = frames("89fd00000000" + "70".repeat(125), 500);

            assertThatThrownBy(() -> flood(unread, pings)).isInstanceOf(UncheckedIOException.class);
        }
    }

    private static void flood(RawHttp client, byte[] frames) {
        for (var sent = 0; sent < FLOOD_BYTES; sent += frames.length) {
            client.send(frames);
        }
    }

    @ParameterizedTest
    @CsvSource({"5, true", "6, false"})
    void answersSoManyPings_beforeTheirPongsAreRead(int pings, boolean areAnswered) {
        try (var server = new VerticleBench(Map.of("AP_LIVE_UNREAD_PONGS_MAX", "5"), this::mount);
                var client = upgraded(server.connect(), SOCKET)) {
            client.send(frames(PING, pings));

            if (areAnswered) {
                for (var pong = 0; pong < pings; pong++) {
                    assertThat(client.frame()).isEmpty();
                }
            } else {
                assertThat(client.isEnded()).isTrue();
            }
        }
    }

    @Test
    void answersAnyNumberOfPings_whosePongsAreRead() {
        try (var server = new VerticleBench(Map.of(), this::mount);
                var client = upgraded(server.connect(), SOCKET)) {
            for (var ping = 0; ping < 1_000; ping++) {
                assertThat(client.send(frames(PING, 1)).frame()).isEmpty();
            }
        }
    }
}
