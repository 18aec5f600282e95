package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.call.RunningNode;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fairness between projects with endless or continuous calls and a project that starts later (decision 0365). */
@Slow(Slow.Reason.HOSTILE)
final class NodeFairnessTest {
    private static final int CALLS_EACH = 20;
    private static final long ENDLESS_MS = 600_000;

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void callsOfAnotherProjectEnd_whileGreedyProjectsKeepTheirProcesses(int greedy) {
        try (var bench = new NodeBench(NodeBench.limits(3, 11))) {
            var endless = new ArrayList<RunningNode>();
            for (var project = 1; project <= greedy; project++) {
                for (var call = 0; call < CALLS_EACH; call++) {
                    endless.add(bench.start("greedy" + project, "stuck", Json.object(), ENDLESS_MS));
                }
            }
            Waiting.until(
                    "all greedy projects are served", () -> bench.questions().size() >= Math.max(3, greedy));

            // An action, a request of the editor and the test of a trigger: each is answered.
            var action = bench.start("modest", "echo", Json.object(), ENDLESS_MS);
            var question = bench.call("modest", NodeCall.Urgency.META, NodeBench.frame("describe"), ENDLESS_MS);
            var test = NodeBench.frame("test").put("trigger", "hook").put("stepName", "hook");
            var trigger = bench.call("modest", NodeCall.Urgency.RUN, test, ENDLESS_MS);

            assertThat(List.of(NodeBench.await(action), NodeBench.await(question), NodeBench.await(trigger)))
                    .allMatch(result -> result instanceof NodeResult.Returned);
            assertThat(endless).noneMatch(call -> call.result().isComplete());
            assertThat(bench.processes().size()).isLessThanOrEqualTo(11);
        }
    }

    @Test
    void questionsOfAProjectAreAnswered_whileItsOwnRunsNeverEnd() {
        try (var bench = new NodeBench(NodeBench.limits(2, 4))) {
            for (var call = 0; call < CALLS_EACH; call++) {
                bench.start("greedy", "stuck", Json.object(), ENDLESS_MS);
            }
            Waiting.until("its processes are busy", () -> bench.questions().size() >= 2);

            assertThat(NodeBench.await(
                            bench.call("greedy", NodeCall.Urgency.META, NodeBench.frame("describe"), ENDLESS_MS)))
                    .isInstanceOf(NodeResult.Returned.class);
        }
    }

    /** A continuous series of calls, each below the limit of long calls, occupies the usual processes permanently. */
    @Test
    void callsOfAnotherProjectEnd_whileAGreedyOneRepeatsShortCalls() {
        try (var bench = new NodeBench(NodeBench.limits(2, 4))) {
            var open = new AtomicInteger();
            var served = new AtomicInteger();
            for (var call = 0; call < CALLS_EACH; call++) {
                repeat(bench, open, served);
            }
            Waiting.until("they follow each other", () -> served.get() > 4);

            for (var call = 0; call < 5; call++) {
                assertThat(NodeBench.await(bench.start("modest", "echo", Json.object(), ENDLESS_MS)))
                        .isInstanceOf(NodeResult.Returned.class);
                assertThat(open.get()).isEqualTo(CALLS_EACH);
            }
        }
    }

    private static void repeat(NodeBench bench, AtomicInteger open, AtomicInteger served) {
        open.incrementAndGet();
        bench.start("greedy", "slow", Json.object().put("ms", 900), ENDLESS_MS)
                .result()
                .onSuccess(result -> {
                    open.decrementAndGet();
                    if (result instanceof NodeResult.Returned) {
                        served.incrementAndGet();
                        repeat(bench, open, served);
                    }
                });
    }

    @ParameterizedTest
    @CsvSource({"1, 3", "2, 4", "4, 5"})
    void startsNoMoreProcessesThanTheCeiling(int usual, int ceiling) {
        try (var bench = new NodeBench(NodeBench.limits(usual, ceiling))) {
            for (var project = 0; project < 8; project++) {
                bench.start("project" + project, "stuck", Json.object(), ENDLESS_MS);
            }
            Waiting.until("the processes are busy", () -> bench.questions().size() == ceiling);
            Waiting.until("all of them take long", () -> bench.load().background() == ceiling);

            assertThat(bench.processes()).hasSize(ceiling);
            assertThat(bench.load().waiting()).isEqualTo(8 - ceiling);
        }
    }

    @Test
    void anEditorIsAnswered_whileAQuestionOfAnotherBlocksItsProcess() {
        try (var bench = new NodeBench(NodeBench.limits(2, 6))) {
            var blocking = NodeBench.frame("action")
                    .put("action", "loop")
                    .put("executionType", "BEGIN")
                    .put("stepName", "step_1");
            blocking.putObject("props");
            var blocked = bench.call("greedy", NodeCall.Urgency.META, blocking, ENDLESS_MS);
            Waiting.until("it executes", () -> bench.load().background() == 1);
            var behind = bench.call("modest", NodeCall.Urgency.META, NodeBench.frame("describe"), ENDLESS_MS);

            Waiting.until("another process is asked", () -> {
                var question = bench.call("other", NodeCall.Urgency.META, NodeBench.frame("describe"), 3_000);
                return NodeBench.await(question) instanceof NodeResult.Returned;
            });
            assertThat(blocked.result().isComplete()).isFalse();
            assertThat(behind.result().isComplete()).isFalse();
        }
    }

    @Test
    void refusesCallsOfAProject_beforeItFillsTheQueue() {
        try (var bench = new NodeBench(NodeBench.limits(1, 3))) {
            var calls = new ArrayList<RunningNode>();
            for (var call = 0; call < NodeSettings.WAITING_MAX; call++) {
                calls.add(bench.start("greedy", "stuck", Json.object(), ENDLESS_MS));
            }
            Waiting.until("some are refused", () -> calls.getLast().result().isComplete());

            assertThat(NodeBench.await(calls.getLast())).isInstanceOf(NodeResult.Unavailable.class);
            assertThat(NodeBench.await(bench.start("modest", "echo", Json.object(), ENDLESS_MS)))
                    .isInstanceOf(NodeResult.Returned.class);
        }
    }
}
