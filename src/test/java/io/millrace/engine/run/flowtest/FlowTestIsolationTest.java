package io.millrace.engine.run.flowtest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.engine.run.log.InputTruncation;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.StepContext;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A test of a flow has no effects outside: no impure action is executed, with fixtures or without. */
class FlowTestIsolationTest {
    private static final String PIECE = "@test/piece-outside";

    private final AtomicInteger executed = new AtomicInteger();

    /** Counts executions of an action that declares an effect. */
    private final class OutsidePiece implements Piece {
        @Override
        public PieceSpec spec() {
            return new PieceSpec(PIECE, "Outside", "", "", List.of(), List.of(), List.of("1.0.0"), null);
        }

        @Override
        public Map<String, Action> actions() {
            return Map.of("send", new Send(false), "leak", new Send(true));
        }

        @Override
        public Map<String, PieceTrigger> triggers() {
            return Map.of();
        }
    }

    /** An impure action, and a pure one that requests an effect from its context, which a test refuses. */
    private final class Send implements Action {
        private final ActionSpec spec;

        private Send(boolean isPure) {
            spec = new ActionSpec(isPure ? "leak" : "send", "Send", "", Map.of(), false, true, isPure);
        }

        @Override
        public ActionSpec spec() {
            return spec;
        }

        @Override
        public Future<JsonNode> run(StepContext context) {
            if (!spec.pure()) {
                executed.incrementAndGet();
                return Future.succeededFuture(TextNode.valueOf("sent"));
            }
            return context.storePut(StepContext.StoreScope.FLOW, "key", TextNode.valueOf("value"))
                    .onSuccess(_ -> executed.incrementAndGet())
                    .map(_ -> TextNode.valueOf("sent"));
        }
    }

    private static FlowScript send(FlowScript flow, String name) {
        return flow.piece(name, PIECE, "1.0.0", "send", Json.object().put("url", "http://127.0.0.1/"));
    }

    private JsonNode run(FlowScript script, String fields) {
        var flow = FlowPlans.of(script, List.of(new OutsidePiece()));
        var test = FlowTestRunnerTest.test(fields);
        return new FlowTestRunner(new InputTruncation(1_000)).run(test, flow).json();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'fixtures':{}",
                "'fixtures':{'steps':{'plain':1,'retried':{'error':'e'},'passed':{'error':'e'},'inner':1,'chosen':1}}",
                "'fixtures':{'http':[{'method':'*','urlPattern':'*','response':{'status':500}}]}",
                "'fixtures':{'http':[{'method':'*','urlPattern':'*','response':{'status':200}}]}"
            })
    void executesNoActionThatReachesOutside(String fixtures) {
        var flow = send(FlowScript.webhook(), "plain");
        flow = send(flow, "passed").continuing();
        flow = flow.loop("each", "{{[1, 2, 3]}}", send(FlowScript.steps(), "inner"))
                .firstMatch("way", Branch.otherwise(send(FlowScript.steps(), "chosen")));
        flow = send(flow, "retried").retrying();

        var result = run(flow, fixtures);

        assertThat(executed).hasValue(0);
        assertThat(result.path("state").asText()).isIn("passed", "stale");
    }

    @Test
    void refusesTheRequestsOfAPureAction_andAsksForAFixture() {
        var flow = FlowScript.webhook().piece("leaking", PIECE, "1.0.0", "leak", Json.object());

        assertThat(run(flow, "'fixtures':{}").at("/stale/step").asText()).isEqualTo("leaking");
        assertThat(run(flow, "'fixtures':{'steps':{'leaking':1}}").path("state").asText())
                .isEqualTo("passed");
        assertThat(executed).hasValue(0);
    }
}
