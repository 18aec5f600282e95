package io.millrace.integration.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ChannelClient;
import io.millrace.support.PolledChannel;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.netty.handler.codec.http.websocketx.WebSocketHandshakeException;
import io.vertx.core.Vertx;
import io.vertx.core.http.WebSocket;
import io.vertx.core.http.WebSocketClient;
import io.vertx.core.http.WebSocketClientOptions;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Message size limits of the live channel: 5 MB here, because files may be 1 MB, and 1 MB for unauthenticated clients. */
class LiveMessagesIT {
    private static final int BYTES_MAX = 5 << 20;
    private static final int UNKNOWN_BYTES_MAX = 1 << 20;
    private static final int TOO_BIG = 1009;
    private static final int TRY_AGAIN_LATER = 1013;

    /** No close frame was read. */
    private static final int LOST = 0;

    @AutoClose
    private static TestServer server = TestServer.start(Map.of(
            "AP_LIVE_MESSAGE_MAX_MB", "1",
            "AP_MAX_FILE_SIZE_MB", "1",
            "AP_HTTP_BODY_MEMORY_MAX_MB", "16"));

    private static SignedIn ada = server.signUp("ada@example.com", "Ada").inTeam("Mill");

    /** A packet of this length that requests a lock. */
    private static String lock(String resourceId, int length) {
        var head = "427[\"LOCK_RESOURCE\",{\"resourceId\":\"" + resourceId + "\",\"rest\":\"";
        var tail = "\"}]";
        return head + "x".repeat(length - head.length() - tail.length()) + tail;
    }

    private static JsonNode answer(String packet) throws JsonProcessingException {
        return Json.parse(packet.substring("437".length())).path(0);
    }

    @Test
    void saysWhatItTakes() throws JsonProcessingException {
        try (var client = ChannelClient.open(server.port())) {
            var greeting = Json.parse(client.await("0").substring(1));

            assertThat(greeting.path("maxPayload").asInt()).isEqualTo(BYTES_MAX);
        }
    }

    @Test
    void takesAMessageOfWhatItSays_andEndsAClientThatSendsMore() throws JsonProcessingException {
        try (var client = ChannelClient.of(server, ada)) {
            client.send(lock("flow-1", BYTES_MAX));
            assertThat(answer(client.await("437")).path("acquired").asBoolean()).isTrue();

            client.begin("x".repeat(BYTES_MAX));
            client.begin("x");

            assertThat(client.closeStatus()).isEqualTo(TOO_BIG);
        }
    }

    @Test
    void takesLittleOfAClientThatIsNotKnown() {
        try (var client = ChannelClient.open(server.port())) {
            client.begin("4".repeat(UNKNOWN_BYTES_MAX));
            client.begin("4");

            assertThat(client.closeStatus()).isEqualTo(TOO_BIG);
        }
    }

    @Test
    void endsAClientWhoseMessageHasNoRoomBesideThatOfAnother() throws JsonProcessingException {
        try (var first = ChannelClient.of(server, ada);
                var second = ChannelClient.of(server, ada)) {
            // Given
            var whole = lock("flow-3", 4 << 20);
            assertThat(first.begin(whole.substring(0, whole.length() - 1))).isTrue();

            // When
            var part = "x".repeat(64 * 1024);
            Waiting.until("the second is ended", () -> !second.begin(part) || second.isClosed());

            // Then
            // A client that is still sending may get a reset before it has read the close frame.
            assertThat(second.closeStatus()).isIn(TRY_AGAIN_LATER, LOST);
            first.send(whole.substring(whole.length() - 1));
            assertThat(answer(first.await("437")).path("acquired").asBoolean()).isTrue();
        }
    }

    @Test
    void releasesMemory_afterAnyOutcomeOfAMessage() {
        for (var round = 0; round < 8; round++) {
            try (var ended = ChannelClient.of(server, ada);
                    var gone = ChannelClient.of(server, ada)) {
                ended.send("4" + "2".repeat(3 << 20));
                ended.awaitClosed();
                assertThat(gone.begin("x".repeat(3 << 20))).isTrue();
            }
        }
        try (var client = ChannelClient.of(server, ada)) {
            client.send(lock("flow-4", BYTES_MAX));
            client.await("437");
        }
    }

    @Test
    void takesTheSameByRequests() throws JsonProcessingException {
        // Given
        var client = PolledChannel.open(ada.api());
        client.bring("40" + Json.object().put("token", ada.api().token()).put("projectId", ada.projectId()));
        client.await("40");

        // When
        var taken = client.bring(lock("flow-5", BYTES_MAX));
        var refused = client.bring(lock("flow-5", BYTES_MAX + 1));

        // Then
        assertThat(taken.status()).isEqualTo(200);
        assertThat(refused.status()).isEqualTo(413);
        assertThat(answer(client.await("437")).path("acquired").asBoolean()).isTrue();
    }

    @Test
    void refusesABodyOfVeryManyPackets() {
        var client = PolledChannel.open(ada.api());

        assertThat(client.bring("3" + "\u001e3".repeat(10_000)).status()).isEqualTo(400);
        assertThat(client.bring("3").status()).isEqualTo(200);
    }

    @Test
    void takesAMessageInOneFrame() {
        var vertx = Vertx.vertx();
        try {
            var packets = new CopyOnWriteArrayList<String>();
            var client =
                    connected(vertx.createWebSocketClient(new WebSocketClientOptions().setMaxFrameSize(BYTES_MAX)));
            client.textMessageHandler(packets::add);
            var coming = Json.object().put("token", ada.api().token()).put("projectId", ada.projectId());
            Waiting.await(client.writeFinalTextFrame("40" + coming));
            Waiting.until("the client is in", () -> packets.stream().anyMatch(it -> it.startsWith("40")));

            Waiting.await(client.writeFinalTextFrame(lock("flow-2", BYTES_MAX)));

            Waiting.until(
                    "the lock is answered",
                    () -> packets.stream().anyMatch(it -> it.startsWith("437[{\"acquired\":true")));
        } finally {
            Waiting.await(vertx.close());
        }
    }

    /** The server may refuse a connection while it frees the memory of messages of an earlier test. */
    private static WebSocket connected(WebSocketClient client) {
        var socket = new AtomicReference<WebSocket>();
        Waiting.until("a connection is open", () -> {
            try {
                socket.set(Waiting.await(
                        client.connect(server.port(), "127.0.0.1", "/api/socket.io/?EIO=4&transport=websocket")));
                return true;
            } catch (WebSocketHandshakeException refused) {
                return false;
            }
        });
        return socket.get();
    }
}
