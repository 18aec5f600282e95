package io.millrace.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** Client of the live channel that sends and reads raw packets. */
public final class ChannelClient implements AutoCloseable {
    private final List<String> packets = new CopyOnWriteArrayList<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final HttpClient http = HttpClient.newHttpClient();
    private final WebSocket socket;
    private volatile int closeStatus;

    private ChannelClient(int port, String session, Map<String, String> headers) {
        var builder = http.newWebSocketBuilder();
        headers.forEach(builder::header);
        this.socket = builder.buildAsync(
                        URI.create("ws://127.0.0.1:" + port + "/api/socket.io/?EIO=4&transport=websocket" + session),
                        new Reader())
                .join();
    }

    /** Opens a channel without the connect packet. */
    public static ChannelClient open(int port) {
        return open(port, Map.of());
    }

    /** Opens a channel with the headers of a browser page. */
    public static ChannelClient open(int port, Map<String, String> headers) {
        return new ChannelClient(port, "", headers);
    }

    /** Upgrades a session that began with long polling to a web socket. */
    public static ChannelClient upgrading(int port, String session) {
        return new ChannelClient(port, "&sid=" + session, Map.of());
    }

    /** Connects to the channel of a project. */
    public static ChannelClient of(TestServer server, TestServer.SignedIn user) {
        var channel = open(server.port());
        channel.connect(user.api().token(), user.projectId());
        channel.await("40");
        return channel;
    }

    /** Sends the connect packet. */
    public void connect(String token, String projectId) {
        send("40" + Json.object().put("token", token).put("projectId", projectId));
    }

    /** Sends a packet as it is. */
    public void send(String packet) {
        socket.sendText(packet, true).join();
    }

    /** Sends a part of a packet that is not its last; false after the server has stopped accepting data. */
    public boolean begin(String part) {
        return socket.sendText(part, false)
                .handle((_, failure) -> failure == null)
                .join();
    }

    /** Sends an event without an acknowledgement. */
    public void emit(String event, JsonNode payload) {
        send("42" + Json.array().add(event).add(payload));
    }

    /** Sends an event, and waits for its acknowledgement. */
    public JsonNode ask(int number, String event, JsonNode payload) {
        send("42" + number + Json.array().add(event).add(payload));
        return parsed(await("43" + number + "[").substring(("43" + number).length()))
                .path(0);
    }

    /** Waits for a packet with this beginning. */
    public String await(String prefix) {
        Waiting.until(
                "a packet that begins with " + prefix, () -> packets.stream().anyMatch(it -> it.startsWith(prefix)));
        return packets.stream().filter(it -> it.startsWith(prefix)).findFirst().orElseThrow();
    }

    /** Waits for an event; returns the payload of the last event of that name. */
    public JsonNode awaitEvent(String event) {
        await("42[\"" + event + "\"");
        return events(event).getLast();
    }

    /** Waits until a number of events of a name have arrived. */
    public void awaitCount(String event, int count) {
        Waiting.until(count + " events " + event, () -> events(event).size() >= count);
    }

    /** Payloads of the received events of a name. */
    public List<JsonNode> events(String event) {
        return packets.stream()
                .filter(it -> it.startsWith("42[\"" + event + "\""))
                .map(it -> parsed(it.substring(2)).path(1))
                .toList();
    }

    /** Waits until the server has closed the connection. */
    public void awaitClosed() {
        Waiting.until("the channel is closed", closed::get);
    }

    /** Close code of the web socket. */
    public int closeStatus() {
        awaitClosed();
        return closeStatus;
    }

    public boolean isClosed() {
        return closed.get();
    }

    private static JsonNode parsed(String text) {
        try {
            return Json.parse(text);
        } catch (JsonProcessingException malformed) {
            return MissingNode.getInstance();
        }
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
    }

    private final class Reader implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                packets.add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            closeStatus = status;
            closed.set(true);
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable cause) {
            closed.set(true);
        }
    }
}
