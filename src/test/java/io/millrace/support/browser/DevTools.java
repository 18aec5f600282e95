package io.millrace.support.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.MachineSpeed;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Connection to a browser by the DevTools protocol of Chromium. */
final class DevTools implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final WebSocket socket;

    /** @param address address of the browser or of a page: {@code ws://host:port/devtools/...} */
    DevTools(String address) {
        this.socket = http.newWebSocketBuilder()
                .buildAsync(URI.create(address), new Reader())
                .join();
    }

    /** False once the browser has ended. */
    boolean isOpen() {
        return !socket.isInputClosed();
    }

    /** Result of a command to the browser. */
    JsonNode send(String method, ObjectNode parameters) {
        return send(null, method, parameters);
    }

    /** Result of a command to an attached page. */
    JsonNode send(String session, String method, ObjectNode parameters) {
        var id = ids.incrementAndGet();
        var command = Json.object().put("id", id).put("method", method);
        command.set("params", parameters);
        if (session != null) {
            command.put("sessionId", session);
        }
        var answer = new CompletableFuture<JsonNode>();
        answers.put(id, answer);
        socket.sendText(Json.text(command), true).join();
        var response = answer.orTimeout(MachineSpeed.deadline(DEADLINE).toSeconds(), TimeUnit.SECONDS)
                .join();
        if (response.has("error")) {
            throw new AssertionError(method + ": " + response.path("error"));
        }
        return response.path("result");
    }

    /** Responses arrive in any order, in fragments, and between unrelated events. */
    private final class Reader implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence piece, boolean last) {
            text.append(piece);
            if (last) {
                take(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void take(String message) {
            try {
                var response = Json.parse(message.getBytes(StandardCharsets.UTF_8));
                var answer = answers.remove(response.path("id").asInt());
                if (answer != null) {
                    answer.complete(response);
                }
            } catch (JsonProcessingException malformed) {
                throw new AssertionError(malformed);
            }
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int status, String reason) {
            failAll(new IOException("the browser closed the connection: " + status + " " + reason));
            return null;
        }

        @Override
        public void onError(WebSocket from, Throwable failure) {
            failAll(failure);
        }

        private void failAll(Throwable failure) {
            answers.values().forEach(answer -> answer.completeExceptionally(failure));
        }
    }

    @Override
    public void close() {
        socket.abort();
        http.close();
    }
}
