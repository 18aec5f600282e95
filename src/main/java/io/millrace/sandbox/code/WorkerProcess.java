package io.millrace.sandbox.code;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.base.core.Json;
import io.millrace.sandbox.code.worker.WorkerFrame;
import io.millrace.sandbox.code.worker.WorkerMain;
import io.millrace.sandbox.code.worker.WorkerRequest;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * One worker process and the call it is at. Owned by one thread; only {@link #interrupt} comes from others.
 *
 * <p>A worker stops a call itself where it can. Where it does not, because a builtin of the engine never looks up or
 * the heap is thrashing, the process is killed: that is what makes the limits hard.
 */
final class WorkerProcess {
    private static final long START_MS_MAX = 90_000;

    /** How long a start lets others go first: on a busy machine it would never end. */
    private static final long MODEST_START_MS = 4_000;

    private static final long GRACE_MS = 400;
    private static final long LOOK_MS = 100;
    private static final long EXIT_MS_MAX = 5_000;
    private static final int OTHER_FRAMES_BYTES_MAX = 1 << 20;
    private static final int ERRORS_SHOWN_BYTES = 500;

    /** Ended by SIGKILL. */
    private static final int EXIT_BY_KERNEL = 137;

    /** Why the process was killed. */
    private enum Interruption {
        TIME,
        CANCEL
    }

    private final Process process;
    private final List<String> options;
    private final WorkerPriority priority;
    private final ScheduledExecutorService clock;
    private final DataOutputStream out;
    private final DataInputStream in;
    private boolean used;
    private boolean begun;
    private boolean fit = true;
    private PendingCall current;
    private Interruption interruption;

    private WorkerProcess(Process process, List<String> options, ScheduledExecutorService clock) {
        this.process = process;
        this.options = options;
        this.priority = new WorkerPriority(process.toHandle());
        this.clock = clock;
        out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16));
        in = new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16));
    }

    /** Starts a worker and waits until it is ready. */
    static WorkerProcess start(CodeSettings settings, WorkerArchive archive, ScheduledExecutorService clock)
            throws IOException {
        Files.createDirectories(settings.directory());
        Path errors = settings.directory().resolve(Thread.currentThread().getName() + ".err");
        List<String> options = archive.options();
        ProcessBuilder builder = new ProcessBuilder(WorkerCommand.isolated(settings, options))
                .directory(settings.directory().toFile())
                .redirectError(errors.toFile());
        // The server's environment holds passwords and keys.
        builder.environment().clear();
        WorkerProcess worker = new WorkerProcess(builder.start(), options, clock);
        Future<?> tooLate = clock.schedule(() -> worker.process.destroyForcibly(), START_MS_MAX, TimeUnit.MILLISECONDS);
        Future<?> urgent = clock.schedule(worker.priority::started, MODEST_START_MS, TimeUnit.MILLISECONDS);
        try {
            worker.priority.starting();
            Optional<WorkerFrame> first = WorkerFrame.readFrom(worker.in, 0);
            if (first.isEmpty() || first.get().type() != WorkerFrame.Type.READY) {
                throw new IOException("expected a code worker to become ready, but it ended: " + beginOf(errors));
            }
            worker.priority.started();
            return worker;
        } catch (IOException | RuntimeException notReady) {
            worker.close();
            throw notReady;
        } finally {
            tooLate.cancel(false);
            urgent.cancel(false);
        }
    }

    /** What a worker said before it ended: user code has no way to write there. */
    private static String beginOf(Path errors) throws IOException {
        try (InputStream text = Files.newInputStream(errors)) {
            return new String(text.readNBytes(ERRORS_SHOWN_BYTES), StandardCharsets.UTF_8).strip();
        }
    }

    /** Whether one that is started now would start with the same options of the virtual machine. */
    boolean isOf(WorkerArchive archive) throws IOException {
        return options.equals(archive.options());
    }

    /** Whether it can take another call. */
    boolean isFit() {
        return fit && process.isAlive();
    }

    /** Whether the last call has used much. */
    boolean wasLong() {
        return priority.isLong();
    }

    /**
     * Makes the call. Empty when another worker may make it: this one ended before it began, because of what earlier
     * calls had left, or the kernel ended it because the machine had no memory left, which need not be the call's fault;
     * code reaches nothing outside, so that it may begin twice. Fails when the process ended for no reason of the call's.
     *
     * @param suspected whether the caller's calls have lately been long
     * @param again whether another worker has already tried
     */
    Optional<CodeResult> execute(PendingCall ticket, boolean suspected, boolean again) throws IOException {
        begun = false;
        priority.begin(suspected);
        WorkerRequest request = ticket.request();
        ConsoleLog.Builder log = new ConsoleLog.Builder(request.logLimitBytes());
        synchronized (this) {
            current = ticket;
            interruption = null;
        }
        long killMs = request.timeLimitMs() + GRACE_MS;
        Future<?> kill = clock.schedule(() -> interrupt(ticket, Interruption.TIME), killMs, TimeUnit.MILLISECONDS);
        Future<?> look = clock.scheduleWithFixedDelay(priority::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
        ticket.running(() -> interrupt(ticket, Interruption.CANCEL));
        try {
            new WorkerFrame(WorkerFrame.Type.RUN, request.encoded()).writeTo(out);
            return Optional.of(answer(request, log));
        } catch (IOException broken) {
            return ended(log, again, broken);
        } finally {
            kill.cancel(false);
            look.cancel(false);
            fit = priority.end();
            used = true;
            synchronized (this) {
                current = null;
            }
        }
    }

    private CodeResult answer(WorkerRequest request, ConsoleLog.Builder log) throws IOException {
        int bytesMax = (int) (request.outputLimitBytes() + 4 * request.logLimitBytes()) + OTHER_FRAMES_BYTES_MAX;
        Optional<WorkerFrame> frame = WorkerFrame.readFrom(in, bytesMax);
        while (frame.isPresent() && !frame.get().type().ends()) {
            if (frame.get().type() == WorkerFrame.Type.BEGUN) {
                begun = true;
            } else {
                addLine(frame.get().text(), log);
            }
            frame = WorkerFrame.readFrom(in, bytesMax);
        }
        return result(frame.orElseThrow(() -> new IOException("the worker ended")), log.build());
    }

    private static void addLine(String line, ConsoleLog.Builder log) {
        int end = line.indexOf('\n');
        log.add(ConsoleLog.Level.valueOf(line.substring(0, end)), line.substring(end + 1));
    }

    private static CodeResult result(WorkerFrame frame, ConsoleLog log) throws IOException {
        return switch (frame.type()) {
            case RETURNED -> returned(frame.body(), log);
            case RETURNED_NOTHING -> new CodeResult.Returned(null, log);
            case THREW -> ThrownError.read(frame.text(), log);
            case TIMED_OUT -> new CodeResult.TimedOut(log);
            case MEMORY_EXCEEDED -> new CodeResult.MemoryExceeded(log);
            case RUN, READY, BEGUN, LOG -> throw new IOException("expected a result, but found " + frame.type());
        };
    }

    private static CodeResult returned(byte[] json, ConsoleLog log) {
        try {
            return new CodeResult.Returned(Json.parse(json), log);
        } catch (JsonProcessingException unusable) {
            return ThrownError.of(
                    "OutputError", "The output of the code cannot be used: " + unusable.getOriginalMessage(), log);
        }
    }

    /** What the end of the process means for the call it was at. */
    private Optional<CodeResult> ended(ConsoleLog.Builder log, boolean again, IOException broken) throws IOException {
        int exit = exitCode();
        Interruption why;
        synchronized (this) {
            why = interruption;
        }
        if (why == Interruption.TIME) {
            return Optional.of(new CodeResult.TimedOut(log.build()));
        }
        if (why == Interruption.CANCEL) {
            return Optional.of(new CodeResult.Cancelled(log.build()));
        }
        if (!begun && used || exit == EXIT_BY_KERNEL && !again) {
            return Optional.empty();
        }
        if (exit == WorkerMain.EXIT_MEMORY || exit == EXIT_BY_KERNEL) {
            return Optional.of(new CodeResult.MemoryExceeded(log.build()));
        }
        throw new IOException("a code worker ended with exit code " + exit, broken);
    }

    private int exitCode() throws IOException {
        try {
            if (!process.waitFor(EXIT_MS_MAX, TimeUnit.MILLISECONDS)) {
                // It broke the protocol and lives on.
                process.destroyForcibly();
                return -1;
            }
            return process.exitValue();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a code worker ended", stopping);
        }
    }

    /** Kills the process if it is still at this call: the next call must not be hit. */
    private synchronized void interrupt(PendingCall ticket, Interruption why) {
        if (current == ticket && interruption == null) {
            interruption = why;
            process.destroyForcibly();
        }
    }

    /** Ends the process. */
    void close() {
        process.destroyForcibly();
    }
}
