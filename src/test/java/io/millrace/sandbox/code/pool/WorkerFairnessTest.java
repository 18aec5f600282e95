package io.millrace.sandbox.code.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.sandbox.share.ProcessShares;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fairness between projects whose code never ends and a project that starts later (decision 0365). */
@Slow(Slow.Reason.HOSTILE)
final class WorkerFairnessTest {
    private static final int CALLS_EACH = 9;
    private static final CodeLimits LONG = new CodeLimits(600_000, 10_000, 1 << 20);
    private static final Duration START_OF_WORKERS_MAX = Duration.ofMinutes(3);
    private static final String ENDLESS = "export const code = () => { while (true) {} };";
    private static final String SHORT = "export const code = () => 1;";

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aCallOfAnotherProjectEnds_whileGreedyProjectsKeepTheirWorkers(int greedy) {
        try (var bench = new CodeBench(new ProcessShares(2, 6))) {
            List<RunningCode> endless = new ArrayList<>();
            for (var project = 1; project <= greedy; project++) {
                for (var call = 0; call < CALLS_EACH / greedy; call++) {
                    endless.add(bench.start("greedy" + project, ENDLESS, Json.object(), LONG));
                }
            }
            Waiting.until(
                    "both have calls that are classified as long",
                    START_OF_WORKERS_MAX,
                    () -> bench.runner().load().background() >= Math.max(2, greedy));

            var modest = bench.start("modest", SHORT, Json.object(), LONG);

            assertThat(CodeBench.await(modest.result())).isInstanceOf(CodeResult.Returned.class);
            assertThat(endless).noneMatch(call -> call.result().isComplete());
            assertThat(bench.runner().load().busy() + bench.runner().load().free())
                    .isLessThanOrEqualTo(6);
        }
    }

    @Test
    void waitsForItsTurn_whenAsManyWorkersAreBusyAsTheMemoryAllows() {
        try (var bench = new CodeBench(new ProcessShares(1, 2))) {
            var endless = List.of(
                    bench.start("first", ENDLESS, Json.object(), LONG),
                    bench.start("second", ENDLESS, Json.object(), LONG));
            Waiting.until(
                    "both are classified as long",
                    START_OF_WORKERS_MAX,
                    () -> bench.runner().load().background() == 2);

            var third = bench.start("third", SHORT, Json.object(), LONG);
            Waiting.until("the third call waits", () -> bench.runner().load().waiting() == 1);
            endless.getFirst().cancel();

            assertThat(CodeBench.await(third.result())).isInstanceOf(CodeResult.Returned.class);
            assertThat(endless.getLast().result().isComplete()).isFalse();
        }
    }
}
