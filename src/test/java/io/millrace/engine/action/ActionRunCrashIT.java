package io.millrace.engine.action;

import static io.millrace.engine.action.ActionRunBench.RUN;
import static io.millrace.engine.action.ActionRunBench.RUNS;
import static io.millrace.engine.action.ActionRunBench.echo;
import static io.millrace.engine.action.ActionRunBench.request;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Action runs whose server stopped while the action was executing. */
final class ActionRunCrashIT {
    private final ActionRunBench bench = new ActionRunBench();

    @Test
    void executesAgainWithTheSameKey_orFails_asTheCallerChose() {
        try (var server = TestServer.startInRealTime(Map.of(), List.of(bench.piece()))) {
            // Given
            var ada = server.signUp("ada@example.com", "Ada");
            var retried = ada.api()
                    .post(RUN, request(ada, "hold").put("mode", "async"))
                    .text("/id");
            var failed = ada.api()
                    .post(RUN, request(ada, "hold").put("mode", "async").put("onCrash", "fail"))
                    .text("/id");
            Waiting.until("both actions", () -> bench.keys.size() == 2);

            // When
            server.stopServer();
            bench.keys.clear();
            bench.held.clear();
            try (var successor = server.successor()) {
                var api = ada.api().at(successor);

                // Then
                Waiting.until("the second execution", () -> bench.keys.size() == 1);
                assertThat(bench.keys).containsExactly(retried + "/step_1");
                bench.held.getFirst().complete(TextNode.valueOf("second"));
                Waiting.until(
                        "the ends",
                        () -> api.get(RUNS + "/" + retried).body().has("ended")
                                && api.get(RUNS + "/" + failed).body().has("ended"));
                assertThat(api.get(RUNS + "/" + retried).text("/output")).isEqualTo("second");
                assertThat(api.get(RUNS + "/" + failed).text("/status")).isEqualTo("INTERNAL_ERROR");
                assertThat(api.get(RUNS + "/" + failed).text("/failure/message"))
                        .contains("may have been performed");
            }
        }
    }

    @Test
    void deletesRuns_whoseRetentionHasPassed() {
        try (var server = TestServer.startInRealTime(Map.of(), List.of(bench.piece()))) {
            // Given
            var ada = server.signUp("ada@example.com", "Ada");
            var old = ada.api().post(RUN, echo(ada, "old")).text("/id");
            var kept = ada.api().post(RUN, echo(ada, "new")).text("/id");
            server.execute("update action_run set ended = now() - interval '400 days' where id = $1", old);

            // When
            server.stopServer();
            try (var successor = server.successor()) {
                // Then
                Waiting.until(
                        "the end of its retention",
                        () -> successor.count("select count(*) from action_run where id = $1", old) == 0);
                assertThat(successor.count("select count(*) from action_run where id = $1", kept))
                        .isOne();
            }
        }
    }

    @Test
    void executesAsManyAtOnce_asTheNodePermits() {
        var settings = Map.of("AP_ACTION_RUN_CONCURRENCY", "2");
        try (var server = TestServer.startInRealTime(settings, List.of(bench.piece()))) {
            // Given
            var ada = server.signUp("ada@example.com", "Ada");
            var hold = request(ada, "hold").put("mode", "async");
            var ids = List.of(
                    ada.api().post(RUN, hold).text("/id"),
                    ada.api().post(RUN, hold).text("/id"),
                    ada.api().post(RUN, hold).text("/id"));
            Waiting.until("two actions", () -> bench.held.size() == 2);

            // When
            assertThat(server.count("select count(*) from action_run where status = 'QUEUED'"))
                    .isOne();
            bench.held.getFirst().complete(TextNode.valueOf("first"));

            // Then
            Waiting.until("the third action", () -> bench.held.size() == 3);
            bench.held.forEach(held -> held.tryComplete(TextNode.valueOf("done")));
            Waiting.until(
                    "the ends",
                    () -> server.count("select count(*) from action_run where status = 'SUCCEEDED'") == ids.size());
        }
    }
}
