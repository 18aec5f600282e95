package io.millrace.sandbox.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeTicket;
import io.millrace.support.Waiting;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Limits of the questions of one process. */
class NodeCallsTest {
    private static final Path EXCHANGE = Path.of("exchange");
    private static final int FRAME = FrameReader.FRAME_BYTES_MAX;

    private final Vertx vertx = Vertx.vertx();
    private final NodeCalls calls = new NodeCalls();
    private final List<Promise<JsonNode>> asked = new CopyOnWriteArrayList<>();
    private final List<ObjectNode> answers = new CopyOnWriteArrayList<>();

    @BeforeEach
    void begin() {
        var folder = Path.of("folder");
        calls.add(new NodeTicket(
                "call",
                new NodeCall("key", folder, folder, NodeCall.Urgency.CODE, Json.object(), 1_000),
                (_, _, _) -> {
                    var answer = Promise.<JsonNode>promise();
                    asked.add(answer);
                    return answer.future();
                },
                vertx.getOrCreateContext()));
    }

    @AfterEach
    void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    @Test
    void acceptsQuestionsOf64MBytes_andRefusesOneMoreByte() {
        // given
        for (var question = 0; question < 4; question++) {
            assertThat(ask("q" + question, "store.put", FRAME)).isEmpty();
        }

        // then
        assertThat(ask("q4", "store.put", 1)).contains("concurrent requests of more than 64 MB");
    }

    @Test
    void acceptsFurtherQuestions_afterTheAnswersOfEarlierOnes() {
        // given
        for (var question = 0; question < 4; question++) {
            assertThat(ask("q" + question, "store.put", FRAME)).isEmpty();
        }
        Waiting.until("they are asked", () -> asked.size() == 4);

        // when
        asked.forEach(answer -> answer.complete(Json.object()));
        Waiting.until("they are answered", () -> answers.size() == 4);

        // then
        assertThat(ask("q4", "store.put", FRAME)).isEmpty();
    }

    @Test
    void acceptsAnIdAndAMethodOf100Characters_andRefusesLongerOnes() {
        var longest = "x".repeat(NodeCalls.NAME_LENGTH_MAX);

        assertThat(ask(longest, longest, 1)).isEmpty();
        assertThat(ask(longest + "x", longest, 1)).isPresent();
        assertThat(ask(longest, longest + "x", 1)).isPresent();
    }

    @Test
    void accepts2000Questions_andRefusesOneMore() {
        for (var question = 0; question < NodeCalls.QUESTIONS_MAX; question++) {
            assertThat(ask("q" + question, "store.get", 1)).isEmpty();
        }

        assertThat(ask("q", "store.get", 1)).contains("more than 2000 concurrent requests");
    }

    private Optional<String> ask(String id, String method, int bytes) {
        var frame = Json.object().put("call", "call").put("id", id).put("method", method);
        return calls.ask(frame, bytes, EXCHANGE, answers::add);
    }
}
