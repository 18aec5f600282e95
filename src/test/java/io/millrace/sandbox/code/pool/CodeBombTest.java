package io.millrace.sandbox.code.pool;

import static io.millrace.sandbox.code.pool.CodeBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.support.Slow;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Resource limits under attack, without effect on concurrent calls. */
@Slow(Slow.Reason.HOSTILE)
@HostileKind("code step bomb")
class CodeBombTest {
    private static final CodeLimits SHORT = new CodeLimits(700, 10_000, 1 << 20);
    private static final CodeLimits LONG = new CodeLimits(240_000, 10_000, 1 << 20);

    /** Long enough for the first line of a call, also on a busy machine. */
    private static final CodeLimits WITH_A_LINE = new CodeLimits(2_000, 10_000, 1 << 20);

    private static final String TINY = "export const code = (inputs) => inputs.n + 1;";

    @AutoClose
    private static CodeBench bench = new CodeBench(16 << 20, 2, 1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while (true) {}",
                "try { while (true) {} } finally { while (true) {} }",
                "await new Promise((r) => setTimeout(r, 60000))",
                "setInterval(() => {}, 1); await new Promise(() => {})",
                "const f = () => { Promise.resolve().then(f); }; f(); await new Promise(() => {})",
                "/(a+)+\\1b/.test('a'.repeat(5000))",
                // The engine cannot interrupt these: only the end of the process ends them.
                "Array.prototype.indexOf.call({length: 2 ** 50}, 1)",
                "Array.prototype.lastIndexOf.call({length: 2 ** 50}, 1)",
                "console.log('begun'); Array.prototype.every.call({length: 2 ** 50}, () => true)",
            })
    void endsTimedOut_whileANeighbourSucceeds(String bomb) {
        RunningCode bombed = bomb(bomb, bomb, bomb.contains("console") ? WITH_A_LINE : SHORT);
        RunningCode neighbour = bench.start("neighbour", TINY, json("{'n':1}"), LONG);

        assertThat(CodeBench.await(neighbour.result()))
                .isEqualTo(new CodeResult.Returned(json("2"), ConsoleLog.empty()));
        CodeResult result = CodeBench.await(bombed.result());
        assertThat(result).isInstanceOf(CodeResult.TimedOut.class);
        assertThat(result.log().standardOutput()).isEqualTo(bomb.contains("console") ? "begun" : "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new Array(5e8).fill(0)",
                "'x'.repeat(2 ** 29)",
                "'x'.repeat(2 ** 31)",
                "let s = 'a'; while (true) s += s",
                "new Uint8Array(2 ** 31 - 1)",
                "new ArrayBuffer(2 ** 40)",
                "const o = []; while (true) o.push([o, {}])",
                "JSON.stringify(new Array(1e7).fill('x'.repeat(100)))",
                "Array.from({length: 5e8})",
                "Object.assign({}, 'x'.repeat(3e7))",
                "const log = []; try { while (true) log.push('y'.repeat(1e6) + log.length) } catch { while (true) {} }",
            })
    void endsMemoryExceeded_whileANeighbourSucceeds(String bomb) {
        RunningCode bombed = bomb(bomb, bomb, LONG);
        RunningCode neighbour = bench.start("neighbour", TINY, json("{'n':1}"), LONG);

        assertThat(CodeBench.await(neighbour.result()))
                .isEqualTo(new CodeResult.Returned(json("2"), ConsoleLog.empty()));
        assertThat(CodeBench.await(bombed.result())).isInstanceOf(CodeResult.MemoryExceeded.class);
    }

    @Test
    void chargesWhatIsHeld_notWhatIsAllocated() {
        CodeResult result = bench.run(
                "export const code = () => { let n = 0; for (let i = 0; i < 24; i++) n += new Array(2e5).fill(i).length;"
                        + "return n; };",
                Json.object(),
                LONG);

        assertThat(result).isEqualTo(new CodeResult.Returned(json("4800000"), ConsoleLog.empty()));
    }

    @Test
    void endsWithAnError_whenTheStackIsExhausted() {
        assertThat(bench.thrown("const f = () => f() + 1; return f();")
                        .details()
                        .path("errorName")
                        .asText())
                .isEqualTo("RangeError");
        assertThat(bench.run("export const code = () => eval('('.repeat(1e5));"))
                .isInstanceOf(CodeResult.Threw.class);
    }

    @Test
    void endsCancelled_whereverTheCallIs() {
        RunningCode running = bomb("a", "while (true) {}", LONG);
        RunningCode waiting = bomb("a", "return 1", LONG);

        waiting.cancel();
        running.cancel();

        assertThat(CodeBench.await(waiting.result())).isInstanceOf(CodeResult.Cancelled.class);
        assertThat(CodeBench.await(running.result())).isInstanceOf(CodeResult.Cancelled.class);
        assertThat(CodeBench.await(bench.start("a", TINY, json("{'n':1}"), LONG).result()))
                .isInstanceOf(CodeResult.Returned.class);
    }

    @Test
    void leavesTheResult_whenCancelledAfterTheEnd() {
        RunningCode ended = bench.start("a", TINY, json("{'n':1}"), LONG);
        CodeBench.await(ended.result());

        ended.cancel();

        assertThat(ended.result().result()).isInstanceOf(CodeResult.Returned.class);
    }

    @Test
    void servesOtherKeysFirst_whenOneKeyFloods() {
        List<RunningCode> flood = new ArrayList<>(IntStream.range(0, 8)
                .mapToObj(n -> bomb("flood", "while (true) {}", SHORT))
                .toList());

        CodeResult neighbour = CodeBench.await(
                bench.start("neighbour", TINY, json("{'n':1}"), LONG).result());

        assertThat(neighbour).isInstanceOf(CodeResult.Returned.class);
        assertThat(flood.stream().filter(call -> call.result().isComplete()).count())
                .isLessThan(8);
        flood.forEach(RunningCode::cancel);
        flood.forEach(call -> CodeBench.await(call.result()));
    }

    @Test
    void refuses_whenTooManyCallsOfAKeyWait() {
        List<RunningCode> calls = IntStream.range(0, 40)
                .mapToObj(n -> bomb("greedy", "while (true) {}", LONG))
                .toList();

        // How many are rejected depends on how many have begun: a worker takes up to 16, and 10 wait.
        assertThat(calls.stream().filter(call -> call.result().failed()).toList())
                .isNotEmpty()
                .allSatisfy(call -> assertThat(call.result().cause())
                        .isInstanceOfSatisfying(
                                ApiException.class,
                                refused -> assertThat(refused.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS)));

        calls.forEach(RunningCode::cancel);
        calls.stream().filter(call -> !call.result().failed()).forEach(call -> CodeBench.await(call.result()));
    }

    private static RunningCode bomb(String key, String body, CodeLimits limits) {
        return bench.start(key, "export const code = async () => { " + body + " };", Json.object(), limits);
    }
}
