package io.millrace.sandbox.code.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.code.CodeExpression;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Surplus workers end under continuous light load; one stays. */
@Slow(Slow.Reason.HOSTILE)
final class RestingWorkersTest {
    /** Longer than each call below, shorter than all of them together. */
    private static final long IDLE_MS = 2_000;

    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final String BUSY_FOR_TWO_SECONDS =
            "(() => { const end = Date.now() + 2000; while (Date.now() < end) {} })()";

    @Test
    void aSecondWorkerEnds_whileCallsNeedOnlyOne() {
        try (var bench = new CodeBench(64 << 20, 2, 2, IDLE_MS, BackoffSettings.OFF)) {
            // given two workers, because a long call occupied the first one
            var calls = List.of(start(bench, "first", BUSY_FOR_TWO_SECONDS), start(bench, "second", "1 + 1"));
            Waiting.until("a second worker is started", DEADLINE, () -> workers(bench) == 2);
            calls.forEach(call -> CodeBench.await(call.result()));

            // when calls follow one another
            Waiting.until("one of the two has ended", DEADLINE, () -> {
                answer(bench);
                return workers(bench) == 1;
            });

            // then the other worker continues
            answer(bench);
            assertThat(workers(bench)).isEqualTo(1);
        }
    }

    private static void answer(CodeBench bench) {
        assertThat(CodeBench.await(start(bench, "first", "1 + 1").result()))
                .isEqualTo(new CodeResult.Returned(CodeBench.json("2"), ConsoleLog.empty()));
    }

    private static RunningCode start(CodeBench bench, String project, String expression) {
        return bench.runner().evaluate(new CodeExpression(project, expression, Json.object(), CodeBench.LIMITS));
    }

    private static int workers(CodeBench bench) {
        var load = bench.runner().load();
        return load.busy() + load.free();
    }
}
