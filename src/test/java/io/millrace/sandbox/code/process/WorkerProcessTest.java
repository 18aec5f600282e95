package io.millrace.sandbox.code.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.sandbox.code.AuthorLines;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.pool.CodeBench;
import io.millrace.sandbox.code.worker.WorkerFrame;
import io.millrace.sandbox.code.worker.WorkerRequest;
import io.millrace.sandbox.isolation.Isolation;
import io.vertx.core.Vertx;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Handling of prepared worker frames by the server. */
final class WorkerProcessTest {
    private static final int KILLED = 137;

    private final Vertx vertx = Vertx.vertx();
    private final PendingCall first = call();
    private final PendingCall second = call();
    private final PendingCall third = call();
    private final CallBatch batch = new CallBatch(List.of(first, second, third));
    private final RecordingOwner owner = new RecordingOwner();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        CodeBench.await(vertx.close());
    }

    @Test
    void waitsForNoCallThatItsWorkerHasGivenBack_whenTheWordComesBehindTheAnswerBefore() throws IOException {
        // given a worker that was asked for the waiting calls, and reads this question just after its call has ended
        var worker = worker(
                WorkerFrame.of(WorkerFrame.Type.BEGUN),
                WorkerFrame.of(WorkerFrame.Type.RETURNED, "1"),
                WorkerFrame.of(WorkerFrame.Type.WITHDRAWN, 2));

        // when
        worker.execute(batch, false, owner);

        // then one call has ended, and other workers make the rest
        assertThat(owner.ended).containsExactly(first);
        assertThat(owner.givenBack).containsExactly(second, third);
        assertThat(batch.left()).isEmpty();
        assertThat(worker.calls()).isEqualTo(1);
    }

    @Test
    void goesOnWithTheCallThatHasBegun_whenThoseBehindItAreGivenBack() throws IOException {
        var worker = worker(
                WorkerFrame.of(WorkerFrame.Type.BEGUN),
                WorkerFrame.of(WorkerFrame.Type.RETURNED, "1"),
                WorkerFrame.of(WorkerFrame.Type.BEGUN),
                WorkerFrame.of(WorkerFrame.Type.WITHDRAWN, 1),
                WorkerFrame.of(WorkerFrame.Type.RETURNED, "2"));

        worker.execute(batch, false, owner);

        assertThat(owner.ended).containsExactly(first, second);
        assertThat(owner.givenBack).containsExactly(third);
        assertThat(batch.left()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("forged")
    void losesNoCallBehindTheFirst_whenAFrameIsForged(WorkerFrame forged) throws IOException {
        // given
        var worker = worker(1, WorkerFrame.of(WorkerFrame.Type.BEGUN), forged);

        // when
        assertThatThrownBy(() -> worker.execute(batch, false, owner))
                .isInstanceOf(IOException.class)
                .hasMessage("a code worker ended with exit code 1");

        // then other workers make the calls that had not begun, and the pool fails the first one
        assertThat(owner.givenBack).containsExactly(second, third);
        assertThat(batch.left()).containsExactly(first);
    }

    static List<WorkerFrame> forged() {
        return List.of(
                WorkerFrame.of(WorkerFrame.Type.WITHDRAWN, 4),
                WorkerFrame.of(WorkerFrame.Type.WITHDRAWN, -1),
                WorkerFrame.of(WorkerFrame.Type.WITHDRAWN, Integer.MAX_VALUE),
                WorkerFrame.of(WorkerFrame.Type.WITHDRAWN),
                WorkerFrame.of(WorkerFrame.Type.WITHDRAWN, "more than four bytes"),
                WorkerFrame.of(WorkerFrame.Type.LOG, "LOG without a line"),
                WorkerFrame.of(WorkerFrame.Type.LOG, "SHOUT\nloud"),
                WorkerFrame.of(WorkerFrame.Type.READY),
                WorkerFrame.of(WorkerFrame.Type.RUN, "LOG\nline"),
                WorkerFrame.of(WorkerFrame.Type.THREW, "[".repeat(10_000)));
    }

    @ParameterizedTest
    @CsvSource({"oom_kill 7, Killed", "oom_kill 8, MemoryExceeded", "pgfault 7, MemoryExceeded"})
    void endsACallAsTheKernelSays_whenItsWorkersAreKilledAgain(String said, String end) throws IOException {
        // given a call whose first worker was killed
        var worker = worker(KILLED, WorkerFrame.of(WorkerFrame.Type.BEGUN));
        first.tryAgain();

        // when the next one is killed too
        Files.writeString(counters(), said + "\n");
        worker.execute(new CallBatch(List.of(first)), false, owner);

        // then
        assertThat(owner.results)
                .map(result -> result.getClass().getSimpleName())
                .containsExactly(end);
    }

    private PendingCall call() {
        var request =
                new WorkerRequest(WorkerRequest.Form.COMMON_JS, "project", "exports.code = 1;", "{}", 1000, 10, 1000);
        return new PendingCall(
                new PendingCall.Program("project", "exports.code = 1;"),
                () -> request,
                AuthorLines.NONE,
                vertx.getOrCreateContext());
    }

    private Path counters() {
        return directory.resolve("vmstat");
    }

    private WorkerProcess worker(WorkerFrame... frames) throws IOException {
        return worker(0, frames);
    }

    private WorkerProcess worker(int exit, WorkerFrame... frames) throws IOException {
        Files.writeString(counters(), "oom_kill 7\n");
        var said = new ByteArrayOutputStream();
        var out = new DataOutputStream(said);
        for (var frame : frames) {
            frame.writeTo(out);
        }
        var isolation = new Isolation(Isolation.Settings.of(directory), counters());
        return new WorkerProcess(
                new WrittenProcess(said.toByteArray(), exit),
                List.of(),
                isolation.priorityOf(ProcessHandle.current()),
                isolation.memoryKills());
    }

    private static final class RecordingOwner implements WorkerProcess.Owner {
        private final List<PendingCall> givenBack = new ArrayList<>();
        private final List<PendingCall> ended = new ArrayList<>();
        private final List<CodeResult> results = new ArrayList<>();

        @Override
        public void giveBack(List<PendingCall> calls) {
            givenBack.addAll(calls);
        }

        @Override
        public void ends(PendingCall call, CodeResult result) {
            ended.add(call);
            results.add(result);
        }
    }

    /** Prints the prepared frames and ends; reads all input. */
    private static final class WrittenProcess extends Process {
        private final InputStream said;
        private final int exit;

        private WrittenProcess(byte[] said, int exit) {
            this.exit = exit;
            this.said = new ByteArrayInputStream(said);
        }

        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return said;
        }

        @Override
        public InputStream getErrorStream() {
            return InputStream.nullInputStream();
        }

        @Override
        public int waitFor() {
            return exit;
        }

        @Override
        public int exitValue() {
            return exit;
        }

        @Override
        public void destroy() {
            // It has ended.
        }
    }
}
