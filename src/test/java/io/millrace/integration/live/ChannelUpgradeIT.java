package io.millrace.integration.live;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ChannelClient;
import io.millrace.support.LiveFlow;
import io.millrace.support.PolledChannel;
import io.millrace.support.RawHttp;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Upgrade of channel clients from HTTP requests to a web socket, and long messages. */
final class ChannelUpgradeIT {
    /** Nothing, or a ping that was sent before. */
    private static final String LET_GO = "[26]";

    @AutoClose
    private static TestServer server = TestServer.start(Map.of());

    private static SignedIn ada = server.signUp("ada@example.com", "Ada").inTeam("Mill");

    @Test
    void goesOverToAWebSocket() {
        // given a client with long polling
        var client = comeIn();
        var fetched = fetchLater(client);
        try (var socket = ChannelClient.upgrading(server.port(), client.session())) {
            // when it opens a web socket
            socket.send("2probe");
            socket.await("3probe");

            // then its pending request is answered, and after the upgrade all packets use the web socket
            assertThat(fetched.join().body().asText()).matches(LET_GO);
            socket.send("5");
            assertThat(lock(socket, 1).path("acquired").asBoolean()).isTrue();
            socket.emit("JOIN_PRESENCE", Json.object().put("resourceId", "upgraded"));
            awaitPresence(socket, "upgraded");
            assertThat(client.fetch().status()).isEqualTo(400);
            socket.send("1");
            socket.awaitClosed();
        }
    }

    @Test
    void sendsUnfetchedPacketsOverTheWebSocket() {
        // given
        var client = comeIn();
        client.bring("42[\"JOIN_PRESENCE\",{\"resourceId\":\"unread\"}]");
        try (var socket = ChannelClient.upgrading(server.port(), client.session())) {
            // when
            socket.send("2probe");
            socket.await("3probe");
            socket.send("5");

            // then
            awaitPresence(socket, "unread");
        }
    }

    @Test
    void keepsPolling_whenTheUpgradeFails() {
        // given
        var client = comeIn();
        try (var socket = ChannelClient.upgrading(server.port(), client.session())) {
            socket.send("2probe");
            socket.await("3probe");
        }
        try (var other = ChannelClient.upgrading(server.port(), client.session())) {
            // when the client sends a packet in the wrong order, then the web socket is closed
            other.send("5");
            other.awaitClosed();
        }

        // and the session continues
        client.bring("42[\"JOIN_PRESENCE\",{\"resourceId\":\"stayed\"}]");
        // Presence of other users may be reported meanwhile.
        assertThat(client.await("42[\"PRESENCE_UPDATED\",{\"resourceId\":\"stayed\""))
                .contains(ada.userId());
    }

    @Test
    void opensNoWebSocketForASessionThatIsNotThere() {
        try (var socket = ChannelClient.upgrading(server.port(), "nobody")) {
            socket.awaitClosed();
        }
    }

    @Test
    void losesNoLongTextOfAClientThatFetchesLater() {
        // given
        var flow = LiveFlow.draft(
                ada, webhook().code("step_1", "export const code = async () => 'x'.repeat(3 * 1024 * 1024);"));
        var version = ada.api().get("/v1/flows/" + flow.id()).text("/version/id");
        var test = Json.object()
                .put("projectId", ada.projectId())
                .put("flowVersionId", version)
                .put("stepName", "step_1");
        var client = comeIn();
        try (var witness = ChannelClient.of(server, ada)) {
            // when two results arrive before it polls the first
            for (var tested = 1; tested <= 2; tested++) {
                ada.api().post("/v1/sample-data/test-step", test);
                witness.awaitCount("TEST_STEP_FINISHED", tested);
            }

            // then it gets both
            var told = new StringBuilder();
            while (told.indexOf("TEST_STEP_FINISHED") == told.lastIndexOf("TEST_STEP_FINISHED")) {
                var fetched = client.fetch();
                assertThat(fetched.status()).isEqualTo(200);
                told.append(fetched.body().asText().replaceAll("x{1000,}", "x"));
            }
        }
    }

    @Test
    void takesAMessageOfAMegabyteAsOneFrame() {
        // given a raw web socket
        try (var http = RawHttp.connect(server.port()).send("""
                        GET /api/socket.io/?EIO=4&transport=websocket HTTP/1.1
                        Host: localhost
                        Connection: Upgrade
                        Upgrade: websocket
                        Sec-WebSocket-Version: 13
                        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

                        """)) {
            assertThat(http.answer(false).status()).isEqualTo(101);
            assertThat(http.frame()).startsWith("0{");

            // when
            var request = Json.object()
                    .put("token", ada.api().token())
                    .put("projectId", ada.projectId())
                    .put("more", "x".repeat(1_000_000));
            http.send(frame("40" + request));

            // then
            assertThat(http.frame()).startsWith("40{");
        }
    }

    /** Presence of other users may be reported meanwhile. */
    private static void awaitPresence(ChannelClient socket, String resourceId) {
        socket.await("42[\"PRESENCE_UPDATED\",{\"resourceId\":\"" + resourceId + "\"");
    }

    /** A text as one masked frame, with a mask of zeros. */
    private static byte[] frame(String text) {
        var payload = text.getBytes(StandardCharsets.UTF_8);
        var frame = new ByteArrayOutputStream();
        frame.write(0x81);
        frame.write(0x80 | 127);
        frame.writeBytes(ByteBuffer.allocate(12).putLong(payload.length).array());
        frame.writeBytes(payload);
        return frame.toByteArray();
    }

    private static PolledChannel comeIn() {
        var client = PolledChannel.open(server.anonymous());
        client.bring("40" + Json.object().put("token", ada.api().token()).put("projectId", ada.projectId()));
        client.await("40{");
        return client;
    }

    private static CompletableFuture<Answer> fetchLater(PolledChannel client) {
        return CompletableFuture.supplyAsync(client::fetch);
    }

    private static JsonNode lock(ChannelClient socket, int number) {
        return socket.ask(number, "LOCK_RESOURCE", Json.object().put("resourceId", "flow"));
    }
}
