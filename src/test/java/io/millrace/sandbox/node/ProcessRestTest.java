package io.millrace.sandbox.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hostile.HostileKind;
import io.millrace.sandbox.node.ProgramBench.Language;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Code that continues after its response, and idle code (decision 0366). */
@HostileKind("work after the answer")
@Slow(Slow.Reason.HOSTILE)
final class ProcessRestTest {
    /** Far below the minute after which an idle process is ended in any case. */
    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(40);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "setInterval(() => { const end = Date.now() + 90; while (Date.now() < end); }, 100);",
                "setTimeout(() => { for (;;); }, 300);",
                "(async () => { for (;;) await new Promise(setImmediate); })();",
                "globalThis.kept = []; setInterval(() => kept.push(Buffer.alloc(16 << 20, 1)), 150);",
                "const fs = require('fs'); let n = 0; setInterval(() => fs.writeFileSync(process.env.TMPDIR + '/' + n++, Buffer.alloc(1 << 20, 1)), 50);",
                "const fs = require('fs'); setTimeout(() => { globalThis.f = fs.openSync(process.env.TMPDIR + '/f', 'w');"
                        + " fs.unlinkSync(process.env.TMPDIR + '/f'); fs.writeSync(f, 'x'); }, 300);",
            })
    void endsAProcessOfNode_thatContinuesAfterItsCall(String body) {
        try (var bench = new ProgramBench(Language.NODE, NodeBench.limits(1, 3))) {
            var pid = pid(bench.run(body + " return process.pid;"));

            Waiting.until("it is ended", NOTICED_WITHIN, () -> !isAlive(pid));
            assertThat(bench.run("return 1;")).isInstanceOf(NodeResult.Returned.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()",
                "threading.Thread(target=lambda: [0 for n in iter(int, 1)], daemon=True).start()",
            })
    void endsAProcessOfPython_thatKeepsThreads(String body) {
        try (var bench = new ProgramBench(Language.PYTHON, NodeBench.limits(1, 3))) {
            var pid = pid(bench.run(body + "\nreturn os.getpid()"));

            Waiting.until("it is ended", NOTICED_WITHIN, () -> !isAlive(pid));
            assertThat(bench.run("return 1")).isInstanceOf(NodeResult.Returned.class);
        }
    }

    /** The process survives the checks: idle code, and code that has ended by itself, may stay. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "NODE | setInterval(() => {}, 1000); return process.pid; | return process.pid;",
                "NODE | let s = 0; for (let n = 0; n < 3e5; n++) s += [n].length; return process.pid; | return process.pid;",
                "PYTHON | threading.stack_size(65536); t = [threading.Thread(target=time.sleep, args=(0,)) for n in range(3)]; [x.start() for x in t];"
                        + " [x.join() for x in t]; return os.getpid() | return os.getpid()",
            })
    void keepsAProcess_thatRests(Language language, String body, String next) {
        try (var bench = new ProgramBench(language, NodeBench.limits(1, 3))) {
            var pid = pid(bench.run(body));
            var lookedAt = System.nanoTime() + Duration.ofSeconds(3).toNanos();
            Waiting.until("it has been looked at some times", () -> System.nanoTime() > lookedAt);

            assertThat(pid(bench.run(next))).isEqualTo(pid);
        }
    }

    @ParameterizedTest
    @CsvSource({"100, true", "150, false"})
    void boundsTheThreadsOfAProcess(int threads, boolean isAllowed) {
        try (var bench = new ProgramBench(Language.PYTHON, NodeBench.limits(1, 3))) {
            var started = bench.start(
                    "project",
                    "threading.stack_size(65536)\nstop = threading.Event()\n"
                            + "t = [threading.Thread(target=stop.wait, daemon=True) for n in range(" + threads + ")]\n"
                            + "for x in t: x.start()\ntime.sleep(1 if " + (isAllowed ? "True" : "False")
                            + " else 600)\nstop.set()\nfor x in t: x.join()\nreturn 1");
            var result = NodeBench.await(started);

            assertThat(result instanceof NodeResult.Returned).as("%s", result).isEqualTo(isAllowed);
        }
    }

    private static long pid(NodeResult result) {
        return ((NodeResult.Returned) result).value().asLong();
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
    }
}
