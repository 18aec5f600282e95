package io.millrace.sandbox.code.pool;

import static io.millrace.sandbox.code.pool.CodeBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Delay of programs that exceed their limits repeatedly, without effect on other programs. Each test has its own projects. */
@Slow(Slow.Reason.HOSTILE)
final class WorkerBackoffTest {
    /** Longer than any test. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final CodeLimits SHORT = new CodeLimits(200, 10_000, 1 << 20);

    /** A call of this duration is classified as long before it ends. */
    private static final CodeLimits PATIENT = new CodeLimits(1_000, 10_000, 1 << 20);

    private static final String LOOP = "export const code = () => { while (true) {} };";
    private static final String WELL = "export const code = () => 'well';";

    @AutoClose
    private static CodeBench bench = new CodeBench(64 << 20, 2, 1, new BackoffSettings(LONG, LONG, LONG, 0));

    @Test
    void aCallIsHeld_whenTwoOfItsProgramWereAtALimit_andOthersAreNot() {
        assertThat(List.of(await(loop("stopped")), await(loop("stopped"))))
                .allMatch(result -> result instanceof CodeResult.TimedOut);

        var held = loop("stopped");

        assertThat(bench.runner().load().held()).isEqualTo(1);
        assertThat(await(bench.start("stopped", WELL, Json.object(), CodeBench.LIMITS)))
                .isEqualTo(new CodeResult.Returned(json("'well'"), ConsoleLog.empty()));
        assertThat(await(loop("other"))).isInstanceOf(CodeResult.TimedOut.class);
        assertThat(held.result().isComplete()).isFalse();
        held.cancel();
        assertThat(await(held)).isInstanceOf(CodeResult.Cancelled.class);
        assertThat(bench.runner().load().held()).isZero();
    }

    @Test
    void callsThatWaitAreHeldToo() {
        var calls = Stream.generate(() -> loop("patient", PATIENT)).limit(8).toList();

        Waiting.until(
                "all have ended or are delayed",
                () -> ended(calls) + bench.runner().load().held() == 8);

        assertThat(ended(calls)).isBetween(2L, 7L);
        calls.forEach(RunningCode::cancel);
        calls.forEach(WorkerBackoffTest::await);
    }

    @Test
    void callsAreRefused_whenTooManyOfTheProjectAreHeld() {
        await(loop("greedy"));
        await(loop("greedy"));

        var calls = Stream.generate(() -> loop("greedy")).limit(11).toList();

        assertThat(bench.runner().load().held()).isEqualTo(10);
        assertThat(calls.stream().filter(call -> call.result().failed()).count())
                .isEqualTo(1);
        assertThat(calls.getLast().result().failed()).isTrue();
        calls.forEach(RunningCode::cancel);
    }

    private static long ended(List<RunningCode> calls) {
        return calls.stream().filter(call -> call.result().isComplete()).count();
    }

    private RunningCode loop(String key) {
        return loop(key, SHORT);
    }

    private RunningCode loop(String key, CodeLimits limits) {
        return bench.start(key, LOOP, Json.object(), limits);
    }

    private static CodeResult await(RunningCode call) {
        return CodeBench.await(call.result());
    }
}
