package io.millrace.sandbox.code.process;

import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.worker.WorkerFrame;
import io.millrace.sandbox.code.worker.WorkerMain;
import io.millrace.sandbox.code.worker.WorkerRequest;
import io.millrace.sandbox.isolation.MemoryKills;
import io.millrace.sandbox.isolation.ProcessPriority;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker process and its current call. Owned by one thread; only {@link #interrupt} is called by others.
 *
 * <p>A worker stops a call itself if it can. If it does not, because a builtin of the engine does not check for interrupts or the
 * heap is thrashing, the process is killed: that makes the limits hard.
 */
public final class WorkerProcess {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerProcess.class);

    private static final int WORN_IN_CALLS = 1_000;
    private static final long GRACE_MS = 400;
    private static final long LOOK_MS = 50;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MS);

    /** Running time of a call after which calls queued behind it are moved to another worker. */
    private static final long WITHDRAW_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long EXIT_MS_MAX = 5_000;

    /** Requests that a worker may hold besides the current one. */
    private static final long SENT_BYTES_MAX = 256 << 10;

    private static final int OTHER_FRAMES_BYTES_MAX = 1 << 20;

    /** Exit code after SIGKILL. */
    private static final int EXIT_KILLED = 137;

    private enum Interruption {
        TIME,
        CANCEL
    }

    /** Receives results of calls, on the thread that executes them. */
    public interface Owner {
        /** Queues these calls for another worker, before later calls of their key. */
        void giveBack(List<PendingCall> calls);

        /** Announces the result of a call before its caller receives it. */
        void ends(PendingCall call, CodeResult result);
    }

    private final Process process;
    private final List<String> options;
    private final ProcessPriority priority;
    private final MemoryKills memoryKills;
    private final DataOutputStream out;
    private final DataInputStream in;
    private int calls;
    private boolean begun;
    private boolean fit = true;
    private PendingCall current;
    private Interruption interruption;
    private long beganNanos;
    private long killNanos;
    private int waitingBehind;
    private boolean atLimit;
    private Future<?> looks;

    WorkerProcess(Process process, List<String> options, ProcessPriority priority, MemoryKills memoryKills) {
        this.process = process;
        this.options = options;
        this.priority = priority;
        this.memoryKills = memoryKills;
        out = new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), 1 << 16));
        in = new DataInputStream(new BufferedInputStream(process.getInputStream(), 1 << 16));
    }

    void begin(ScheduledExecutorService clock) {
        priority.started();
        looks = clock.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    Optional<WorkerFrame> firstFrame() throws IOException {
        return WorkerFrame.readFrom(in, 0);
    }

    ProcessPriority priority() {
        return priority;
    }

    public boolean isOf(WorkerArchive archive) throws IOException {
        return options.equals(archive.options());
    }

    public int calls() {
        return calls;
    }

    /** True if it has made enough calls for its code to be compiled. */
    public boolean isWornIn() {
        return calls > WORN_IN_CALLS;
    }

    public boolean isFit() {
        return fit && process.isAlive();
    }

    public boolean wasLong() {
        return atLimit || priority.isLong();
    }

    /**
     * Makes the calls one after the other and completes each. Returns calls to the owner for another worker: calls that would wait
     * behind a long one, and calls not yet begun when this worker ended, because of state left by earlier calls or an external kill
     * such as the kernel's for lack of memory, which need not be the call's fault. Code has no external effects, so it may begin
     * twice. Fails if the process ended for a reason that is not the call's.
     *
     * @param suspected true if the caller's recent calls were long
     */
    public void execute(CallBatch batch, boolean suspected, Owner owner) throws IOException {
        priority.begin(suspected);
        atLimit = false;
        Deque<WorkerRequest> requests = new ArrayDeque<>();
        try {
            send(batch, requests, owner);
            while (batch.current() != null) {
                execute(batch, requests.removeFirst(), owner);
            }
        } finally {
            begin(null, 0, 0);
            fit = priority.end();
        }
    }

    /** Sends as many calls as a worker may hold at a time, at least the first one. */
    private void send(CallBatch batch, Deque<WorkerRequest> requests, Owner owner) throws IOException {
        List<PendingCall> calls = batch.left();
        WorkerRequest first = calls.getFirst().request();
        requests.add(first);
        begin(calls.getFirst(), first.timeLimitMs(), 0);
        long bytes = write(first);
        int sent = 1;
        while (sent < calls.size() && bytes < SENT_BYTES_MAX) {
            WorkerRequest next = calls.get(sent).request();
            requests.add(next);
            bytes += write(next);
            sent++;
        }
        if (sent < calls.size()) {
            owner.giveBack(batch.withdraw(calls.size() - sent));
        }
        synchronized (out) {
            try {
                out.flush();
            } catch (IOException broken) {
                LOG.debug("retiring a code worker: {}", broken.getMessage());
            }
        }
    }

    /** Sends a request. A worker that reads no more is detected by its missing answer. */
    private long write(WorkerRequest request) {
        byte[] bytes = request.encoded();
        synchronized (out) {
            try {
                new WorkerFrame(WorkerFrame.Type.RUN, bytes).writeLaterTo(out);
            } catch (IOException broken) {
                LOG.debug("retiring a code worker: {}", broken.getMessage());
            }
        }
        return bytes.length;
    }

    private void execute(CallBatch batch, WorkerRequest request, Owner owner) throws IOException {
        PendingCall call = batch.current();
        ConsoleLog.Builder log = new ConsoleLog.Builder(request.logLimitBytes());
        begin(call, request.timeLimitMs(), batch.left().size() - 1);
        call.running(() -> interrupt(call, Interruption.CANCEL));
        try {
            Optional<CodeResult> result = answer(request, log, batch, owner);
            if (result.isPresent()) {
                calls++;
                atLimit |= result.get().isAtLimit();
                batch.ended();
                owner.ends(call, result.get());
                call.complete(result.get());
            }
        } catch (IOException broken) {
            List<PendingCall> others = batch.withdraw(batch.left().size() - 1);
            others.forEach(PendingCall::tryAgain);
            owner.giveBack(others);
            diedAt(call, log, batch, owner, broken);
        }
    }

    private void diedAt(PendingCall call, ConsoleLog.Builder log, CallBatch batch, Owner owner, IOException broken)
            throws IOException {
        Optional<CodeResult> result = ended(log, call.isAgain(), broken);
        atLimit |= result.filter(CodeResult::isAtLimit).isPresent();
        batch.ended();
        if (result.isPresent()) {
            owner.ends(call, result.get());
            call.complete(result.get());
        } else {
            call.tryAgain();
            owner.giveBack(List.of(call));
        }
    }

    /** Starts the time measurement of this call; stops it if the call is null. */
    private synchronized void begin(PendingCall call, long limitMs, int behind) {
        begun = false;
        current = call;
        interruption = null;
        waitingBehind = behind;
        beganNanos = System.nanoTime();
        killNanos = TimeUnit.MILLISECONDS.toNanos(limitMs + GRACE_MS);
    }

    /** Empty if this worker returns the call: it was asked to during the previous call and has not begun this one. */
    private Optional<CodeResult> answer(WorkerRequest request, ConsoleLog.Builder log, CallBatch batch, Owner owner)
            throws IOException {
        PendingCall call = batch.current();
        int bytesMax = (int) (request.outputLimitBytes() + 4 * request.logLimitBytes()) + OTHER_FRAMES_BYTES_MAX;
        Optional<WorkerFrame> frame = WorkerFrame.readFrom(in, bytesMax);
        while (frame.isPresent() && !frame.get().type().ends()) {
            switch (frame.get().type()) {
                case BEGUN -> begun = true;
                case AGAIN -> log.clear();
                case WITHDRAWN -> {
                    owner.giveBack(batch.withdraw(withdrawn(frame.get(), batch)));
                    if (batch.current() != call) {
                        return Optional.empty();
                    }
                }
                default -> WorkerAnswer.addLine(frame.get(), log);
            }
            frame = WorkerFrame.readFrom(in, bytesMax);
        }
        return Optional.of(WorkerAnswer.result(
                frame.orElseThrow(() -> new IOException("the worker ended")), call.lines(), log.build()));
    }

    /** Number of calls that the worker returns: at most those that have not ended. */
    private static int withdrawn(WorkerFrame frame, CallBatch batch) throws IOException {
        int left = batch.left().size();
        int count = frame.body().length == Integer.BYTES ? frame.number() : -1;
        if (count < 0 || count > left) {
            throw new IOException("expected the return of 0 to " + left + " calls, but found another number");
        }
        return count;
    }

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
        if (!again && (!begun && calls > 0 || exit == EXIT_KILLED)) {
            return Optional.empty();
        }
        if (exit == WorkerMain.EXIT_MEMORY || exit == EXIT_KILLED && memoryKills.mayHaveHappened()) {
            return Optional.of(new CodeResult.MemoryExceeded(log.build()));
        }
        if (exit == EXIT_KILLED) {
            return Optional.of(new CodeResult.Killed(log.build()));
        }
        throw new IOException("a code worker ended with exit code " + exit, broken);
    }

    private int exitCode() throws IOException {
        try {
            if (!process.waitFor(EXIT_MS_MAX, TimeUnit.MILLISECONDS)) {
                // The worker violated the protocol but is alive.
                process.destroyForcibly();
                return -1;
            }
            return process.exitValue();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a code worker ended", stopping);
        }
    }

    private synchronized void look() {
        long tookNanos = System.nanoTime() - beganNanos;
        if (current != null && tookNanos >= killNanos) {
            interrupt(current, Interruption.TIME);
        }
        if (current != null && tookNanos >= LOOK_NANOS) {
            priority.look();
        }
        if (current != null && tookNanos >= WITHDRAW_NANOS) {
            withdrawOthers();
        }
    }

    private void withdrawOthers() {
        if (waitingBehind > 0) {
            waitingBehind = 0;
            try {
                synchronized (out) {
                    WorkerFrame.of(WorkerFrame.Type.WITHDRAW).writeTo(out);
                }
            } catch (IOException broken) {
                LOG.debug("retiring a code worker: {}", broken.getMessage());
            }
        }
    }

    /** Kills the process only if it still executes this call, so that the next call is not affected. */
    private synchronized void interrupt(PendingCall ticket, Interruption why) {
        if (current == ticket && interruption == null) {
            interruption = why;
            process.destroyForcibly();
        }
    }

    public void close() {
        if (looks != null) {
            looks.cancel(false);
        }
        process.destroyForcibly();
    }
}
