package io.millrace.workspace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.LocalServer;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The table of {@code scripts/models}, with a fake that follows the requests, and with one that does not. */
final class ModelProbesTest {
    @AutoClose
    private final Vertx vertx = Vertx.vertx();

    private static void answer(HttpServerRequest request, Function<JsonNode, ObjectNode> message) {
        request.body().onSuccess(body -> {
            var reply = Json.object();
            reply.putArray("choices")
                    .addObject()
                    .put("finish_reason", "stop")
                    .set("message", message.apply(Json.trusted(body.toString())));
            reply.putObject("usage").put("prompt_tokens", 10).put("completion_tokens", 5);
            request.response().putHeader("Content-Type", "application/json").end(Json.text(reply));
        });
    }

    /** Makes the calls that the lines of the request name, and repeats results. */
    private static ObjectNode obedient(JsonNode question) {
        var message = Json.object().put("role", "assistant");
        var last = question.path("messages").get(question.path("messages").size() - 1);
        if (!question.has("tools")) {
            return message.put("content", "Ready.");
        }
        if (last.path("role").asText().equals("tool")) {
            return message.put("content", "It has " + last.path("content").asText());
        }
        var calls = message.putNull("content").putArray("tool_calls");
        last.path("content")
                .asText()
                .lines()
                .map(line -> line.split(" ", 2))
                .forEach(line -> calls.addObject()
                        .put("id", "call_" + calls.size())
                        .put("type", "function")
                        .putObject("function")
                        .put("name", line[0])
                        .put("arguments", line[1]));
        return message;
    }

    private String table(Function<JsonNode, ObjectNode> message, boolean isGood) {
        var server = LocalServer.start(vertx, request -> answer(request, message));
        var accounts = ModelProbes.accounts(Map.of("OLLAMA_BASE_URL", server.url(""), "OLLAMA_MODEL", "llama"));
        var out = new ByteArrayOutputStream();
        var printed = new ModelProbes.ProbeTable(accounts, _ -> server.url(""))
                .print(new PrintStream(out, true, StandardCharsets.UTF_8));
        var text = out.toString(StandardCharsets.UTF_8);
        assertThat(printed).as(text).isEqualTo(isGood);
        return text;
    }

    @Test
    void isGood_whenEachProbeIsAnsweredAsExpected() {
        var table = table(ModelProbesTest::obedient, true);

        assertThat(table.lines())
                .hasSize(2 + 2 * ModelProbe.values().length)
                .startsWith("| probe | OLLAMA |", "|---|---|", "| TEXT, streamed | ok |");
    }

    @Test
    void namesTheDeviation_whenAModelSaysSomethingElse() {
        var table = table(_ -> Json.object().put("role", "assistant").put("content", "I would rather not."), false);

        assertThat(table)
                .contains("| ONE_CALL, streamed | see ", "OLLAMA (llama), ONE_CALL, streamed: calls: none")
                .contains("OLLAMA (llama), TEXT, whole: text: I would rather not.");
    }

    @Test
    void namesTheFailure_whenAProviderRefuses() {
        var server = LocalServer.start(
                vertx,
                request ->
                        request.response().setStatusCode(401).end("{\"error\":{\"message\":\"Incorrect API key\"}}"));
        var accounts = ModelProbes.accounts(Map.of("ANTHROPIC_API_KEY", "k3y9"));
        var out = new ByteArrayOutputStream();

        var isGood = new ModelProbes.ProbeTable(accounts, _ -> server.url(""))
                .print(new PrintStream(out, true, StandardCharsets.UTF_8));

        assertThat(isGood).isFalse();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("Incorrect API key")
                .doesNotContain("k3y9");
    }

    @Test
    void asksOnlyProvidersWhoseKeyIsThere() {
        assertThat(ModelProbes.accounts(Map.of())).isEmpty();
        assertThat(ModelProbes.accounts(Map.of("OPENAI_API_KEY", " "))).isEmpty();
        assertThat(ModelProbes.accounts(Map.of("OPENAI_API_KEY", "k", "GEMINI_API_KEY", "k", "GEMINI_MODEL", "g-9")))
                .extracting(ModelProbes.ProbedAccount::title, ModelProbes.ProbedAccount::model)
                .containsExactlyElementsOf(List.of(tuple("OPENAI", "gpt-5.4-mini"), tuple("GEMINI", "g-9")));
        assertThatThrownBy(() -> ModelProbes.accounts(Map.of("AWS_ACCESS_KEY_ID", "AKIA")))
                .hasMessageContaining("AWS_REGION");
    }
}
