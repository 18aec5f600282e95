package io.millrace.sandbox.code.pool;

import static io.millrace.sandbox.code.pool.CodeBench.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.sandbox.backoff.BackoffSettings;
import io.millrace.sandbox.code.AuthorLines;
import io.millrace.sandbox.code.CodeExpression;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.process.PendingCall;
import io.millrace.sandbox.code.process.WorkerArchive;
import io.millrace.sandbox.code.process.WorkerProcess;
import io.millrace.sandbox.code.process.WorkerStart;
import io.millrace.sandbox.code.worker.WorkerRequest;
import io.millrace.sandbox.isolation.Isolation;
import io.millrace.support.RecordedLog;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls wait for a worker while none can be started: a host may be short of processes or files for a moment. */
@Slow(Slow.Reason.HOSTILE)
final class WorkerStartTest {
    /** Options that differ from those of later workers. */
    private static final List<String> FIRST_OPTIONS = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    @TempDir
    Path directory;

    @Test
    void callsWait_untilAWorkerCanBeStarted() throws IOException {
        // given a folder for workers that cannot be created, because a file has its name
        var place = Files.createFile(directory.resolve("code"));
        var vertx = Vertx.vertx();
        var runner = new CodeRunner(vertx, settings(place));
        try (var log = RecordedLog.of(WorkerThread.class.getName())) {
            // when code is called
            var running = runner.evaluate(new CodeExpression("project", "1 + 1", Json.object(), CodeBench.LIMITS));
            Waiting.until("a start has failed", () -> !log.lines().isEmpty());

            // then it runs as soon as a worker can start
            assertThat(running.result().isComplete()).isFalse();
            Files.delete(place);
            assertThat(CodeBench.await(running.result()))
                    .isEqualTo(new CodeResult.Returned(json("2"), ConsoleLog.empty()));
        } finally {
            CodeBench.await(runner.close());
            CodeBench.await(vertx.close());
        }
    }

    @Test
    void answers_whenItsVirtualMachineHasWarned() {
        // given a worker whose virtual machine warns about a missing start cache
        var settings = settings(directory.resolve("code"), 1);
        var options = WorkerArchive.use(directory.resolve("absent"));
        var vertx = Vertx.vertx();
        var pool = new WorkerPool(settings, (_, clock) -> () -> WorkerStart.start(settings, options, clock));
        try (var log = RecordedLog.of(WorkerThread.class.getName())) {
            // when it is called, then it answers, and the warning is not read as a frame
            assertThat(isAnswered(pool, vertx)).isTrue();
            assertThat(log.lines()).isEmpty();
        } finally {
            CodeBench.await(pool.close());
            CodeBench.await(vertx.close());
        }
    }

    @Test
    void callsThatWait_areCancelled_whenTheServerStops() throws IOException {
        // given a call for which no worker can be started
        var place = Files.createFile(directory.resolve("code"));
        var vertx = Vertx.vertx();
        var runner = new CodeRunner(vertx, settings(place));
        var running = runner.evaluate(new CodeExpression("project", "1 + 1", Json.object(), CodeBench.LIMITS));

        // when the runner is closed
        CodeBench.await(runner.close());

        // then the call has ended
        assertThat(CodeBench.await(running.result())).isEqualTo(new CodeResult.Cancelled(ConsoleLog.empty()));
        CodeBench.await(vertx.close());
    }

    @Test
    void startsPause_whenTheyFailOfAnError() {
        // given two starts that fail with errors of the virtual machine
        var begunNanos = new CopyOnWriteArrayList<Long>();
        var settings = settings(directory.resolve("code"));
        var vertx = Vertx.vertx();
        var pool = new WorkerPool(settings, (archive, clock) -> () -> {
            begunNanos.add(System.nanoTime());
            if (begunNanos.size() <= 2) {
                throw new NoClassDefFoundError("a class that could not be loaded");
            }
            return WorkerStart.start(settings, archive, clock);
        });
        try {
            // when code is called
            var call = onePlusOne(vertx);
            assertThat(pool.submit(call)).isTrue();

            // then the third start runs it, and a pause preceded each new start
            assertThat(CodeBench.await(call.result()))
                    .isEqualTo(new CodeResult.Returned(json("2"), ConsoleLog.empty()));
            assertThat(begunNanos).hasSize(3);
            assertThat(List.of(begunNanos.get(1) - begunNanos.get(0), begunNanos.get(2) - begunNanos.get(1)))
                    .allMatch(nanos -> nanos >= WorkerThread.START_AGAIN.toNanos());
        } finally {
            CodeBench.await(pool.close());
            CodeBench.await(vertx.close());
        }
    }

    @Test
    void startsNoWorker_forACancelledCallThatIsGivenBack() {
        // given a call that is canceled after a worker has accepted it and before it begins
        var starts = new AtomicInteger();
        var settings = settings(directory.resolve("code"), 1);
        var vertx = Vertx.vertx();
        var pool = new WorkerPool(settings, (archive, clock) -> () -> {
            starts.incrementAndGet();
            return WorkerStart.start(settings, archive, clock);
        });
        try {
            var call = onePlusOne(vertx);
            call.cancel();

            // when the worker returns it
            pool.giveBack(List.of(call));

            // then it ends without another worker
            assertThat(CodeBench.await(call.result())).isEqualTo(new CodeResult.Cancelled(ConsoleLog.empty()));
            assertThat(starts).hasValue(0);
        } finally {
            CodeBench.await(pool.close());
            CodeBench.await(vertx.close());
        }
    }

    @Test
    void endsItsSuccessor_whenItHasBeenWornInMeanwhile() {
        // given a worker that makes a thousand calls before its successor is ready
        var begun = new CopyOnWriteArrayList<WorkerProcess>();
        var secondBegins = new AtomicBoolean();
        var mayEnd = new CountDownLatch(1);
        var vertx = Vertx.vertx();
        var pool = poolOfTwoStarts(begun, secondBegins, mayEnd);
        try {
            assertThat(isAnswered(pool, vertx)).isTrue();
            Waiting.until("the second is started", secondBegins::get);
            while (!begun.getFirst().isWornIn()) {
                assertThat(isAnswered(pool, vertx)).isTrue();
            }

            // when the successor is ready
            mayEnd.countDown();

            // then it ends, and the first worker continues
            Waiting.until(
                    "the successor has ended",
                    () -> isAnswered(pool, vertx)
                            && begun.size() == 2
                            && !begun.getLast().isFit());
            assertThat(begun.getFirst().isFit()).isTrue();
        } finally {
            mayEnd.countDown();
            CodeBench.await(pool.close());
            CodeBench.await(vertx.close());
        }
    }

    @Test
    void makesCalls_whileItsSuccessorStarts() {
        // given a pool of one worker, which was started with other options than the current ones
        var begun = new CopyOnWriteArrayList<WorkerProcess>();
        var secondBegins = new AtomicBoolean();
        var mayEnd = new CountDownLatch(1);
        var vertx = Vertx.vertx();
        var pool = poolOfTwoStarts(begun, secondBegins, mayEnd);
        try {
            // when its successor starts, and its start is held
            assertThat(isAnswered(pool, vertx)).isTrue();
            Waiting.until("the second is started", secondBegins::get);

            // then calls are answered meanwhile, and by the second worker as soon as it is ready
            assertThat(isAnswered(pool, vertx)).isTrue();
            assertThat(begun).hasSize(1);
            mayEnd.countDown();
            Waiting.until("the second is ready", () -> begun.size() == 2);
            Waiting.until(
                    "it makes calls",
                    () -> isAnswered(pool, vertx) && begun.getLast().calls() > 0);
            Waiting.until("the first has ended", () -> !begun.getFirst().isFit());
        } finally {
            mayEnd.countDown();
            CodeBench.await(pool.close());
            CodeBench.await(vertx.close());
        }
    }

    /** Pool of one worker. The first worker starts with other options, and the start of its successor waits for the latch. */
    private WorkerPool poolOfTwoStarts(List<WorkerProcess> begun, AtomicBoolean secondBegins, CountDownLatch mayEnd) {
        var settings = settings(directory.resolve("code"), 1);
        return new WorkerPool(settings, (archive, clock) -> () -> {
            var isFirst = begun.isEmpty();
            if (!isFirst) {
                secondBegins.set(true);
                awaitUnchecked(mayEnd);
            }
            begun.add(WorkerStart.start(settings, isFirst ? FIRST_OPTIONS : archive.options(), clock));
            return begun.getLast();
        });
    }

    private static boolean isAnswered(WorkerPool pool, Vertx vertx) {
        var call = onePlusOne(vertx);
        return pool.submit(call)
                && CodeBench.await(call.result()).equals(new CodeResult.Returned(json("2"), ConsoleLog.empty()));
    }

    private static PendingCall onePlusOne(Vertx vertx) {
        return new PendingCall(
                new PendingCall.Program("project", "1 + 1"),
                () -> new WorkerRequest(
                        WorkerRequest.Form.EXPRESSION, "project", "1 + 1", "{}", 60_000, 10_000, 1 << 20),
                AuthorLines.NONE,
                vertx.getOrCreateContext());
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopping) {
            throw new IllegalStateException(stopping);
        }
    }

    private CodeSettings settings(Path place) {
        return settings(place, 2);
    }

    private CodeSettings settings(Path place, int workersMax) {
        var isolation = new Isolation(Isolation.Settings.of(directory.resolve("isolation")));
        return new CodeSettings(
                place,
                64 << 20,
                new CodeSettings.Workers(workersMax, workersMax, 2),
                20,
                10,
                60_000,
                isolation,
                BackoffSettings.OFF);
    }
}
