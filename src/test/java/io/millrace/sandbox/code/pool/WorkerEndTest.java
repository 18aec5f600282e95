package io.millrace.sandbox.code.pool;

import static io.millrace.sandbox.code.pool.CodeBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.sandbox.code.CodeLimits;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The kernel kills a worker with SIGKILL when memory is exhausted, even if other processes use the memory. */
@Slow(Slow.Reason.HOSTILE)
final class WorkerEndTest {
    /** Far beyond these tests: on a busy machine a long call gets little processor time. */
    private static final CodeLimits LONG = new CodeLimits(300_000, 10_000, 1 << 20);

    private static final Duration IN_THE_CALL = Duration.ofMillis(200);

    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final String BUSY_FOR_A_SECOND =
            "export const code = () => { const end = Date.now() + 1000; while (Date.now() < end) {} return 'done'; };";

    @Test
    void aCallIsMadeAgain_whenItsWorkerWasKilledOnce() {
        try (var bench = new CodeBench(64 << 20, 1, 1)) {
            // given a running call
            bench.run("export const code = () => 1;");
            var worker = workers().getFirst();
            var before = used(worker);
            var running = bench.start("project", BUSY_FOR_A_SECOND, Json.object(), LONG);
            Waiting.until(
                    "the call is running", () -> used(worker).minus(before).compareTo(IN_THE_CALL) > 0);

            // when the kernel ends its worker
            assertThat(worker.destroyForcibly()).isTrue();

            // then another one makes the call
            assertThat(CodeBench.await(running.result()))
                    .isEqualTo(new CodeResult.Returned(json("'done'"), ConsoleLog.empty()));
        }
    }

    @Test
    void aCallFailsForWantOfMemory_whenItsWorkersAreKilledAgain_andTheKernelDoesNotSayWhy() {
        try (var bench = new CodeBench(Path.of("/dev/null"))) {
            bench.run("export const code = () => 1;");
            var running = bench.start("project", "export const code = () => { while (true) {} };", Json.object(), LONG);

            Waiting.until("the call has ended", DEADLINE, () -> {
                // The background call runs in a worker that is ready: this disturbs no start.
                if (bench.runner().load().background() == 1) {
                    workers().forEach(ProcessHandle::destroyForcibly);
                }
                return running.result().isComplete();
            });

            assertThat(CodeBench.await(running.result())).isInstanceOf(CodeResult.MemoryExceeded.class);
        }
    }

    private static List<ProcessHandle> workers() {
        return ProcessHandle.current()
                .children()
                .filter(process -> process.info().command().orElse("").endsWith("/java"))
                .toList();
    }

    private static Duration used(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
