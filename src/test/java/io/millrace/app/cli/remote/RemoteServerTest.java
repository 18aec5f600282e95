package io.millrace.app.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Repeated requests of a command: always with one key, and only while the outcome is unknown. */
final class RemoteServerTest {
    private static final String LOST = "lost";

    private final Deque<String> answers = new ArrayDeque<>();
    private final List<String> keys = new ArrayList<>();
    private HttpServer peer;
    private RemoteServer server;

    @BeforeEach
    void start() throws IOException {
        peer = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        peer.createContext("/", this::answer);
        peer.start();
        server = new RemoteServer("http://127.0.0.1:" + peer.getAddress().getPort(), "sk-test");
    }

    @AfterEach
    void stop() {
        peer.stop(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "503 {}",
                "429 {}",
                "502 {}",
                "500 {}",
                "504 {}",
                "409 {\"code\":\"IDEMPOTENCY_KEY_IN_USE\"}",
                LOST
            })
    void repeatsAWriteUnderItsKey_whileItsOutcomeIsOpen(String first) {
        answers.addAll(List.of(first, "200 {\"id\":\"made\"}"));

        var made = server.post("/api/v1/projects", Json.object());

        assertThat(made.path("id").asText()).isEqualTo("made");
        assertThat(keys).hasSize(2).doesNotContain("").containsOnly(keys.getFirst());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "400 {}",
                "404 {}",
                "422 {\"code\":\"IDEMPOTENCY_KEY_REUSED\"}",
                "409 {\"code\":\"VALIDATION\"}",
                "504 {\"code\":\"OUTCOME_UNKNOWN\"}"
            })
    void repeatsNothingThatIsDecided(String decided) {
        answers.add(decided);

        assertThatThrownBy(() -> server.post("/api/v1/projects", Json.object()))
                .isInstanceOf(RemoteException.class)
                .hasMessageContaining(decided.substring(0, 3));
        assertThat(keys).hasSize(1);
    }

    @Test
    void usesAKeyForEachWrite_andNoneForReads() {
        answers.addAll(List.of("200 {}", "200 {}", "200 {}"));

        server.post("/api/v1/projects", Json.object());
        server.post("/api/v1/projects", Json.object());
        server.get("/api/v1/projects");

        assertThat(keys).hasSize(3).doesNotHaveDuplicates();
        assertThat(keys.getLast()).isEmpty();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        keys.add(key == null ? "" : key);
        exchange.getRequestBody().readAllBytes();
        var next = answers.remove();
        if (next.equals(LOST)) {
            exchange.close();
            return;
        }
        var parts = Arrays.asList(next.split(" ", 2));
        exchange.getResponseHeaders().add("Retry-After", "0");
        var body = parts.get(1).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(Integer.parseInt(parts.get(0)), body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
