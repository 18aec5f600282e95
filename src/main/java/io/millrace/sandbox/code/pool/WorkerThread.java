package io.millrace.sandbox.code.pool;

import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.process.CallBatch;
import io.millrace.sandbox.code.process.PendingCall;
import io.millrace.sandbox.code.process.WorkerArchive;
import io.millrace.sandbox.code.process.WorkerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that owns a worker process and makes the calls that its pool gives it.
 *
 * <p>It replaces a process that has ended before it takes the next call, so that no call waits for a start while another worker is
 * warm. A process that cannot be started is tried again after a pause, for any reason.
 */
final class WorkerThread implements WorkerProcess.Owner {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerThread.class);

    /** Pause before another start: a shortage of processes or files may be short. */
    static final Duration START_AGAIN = Duration.ofMillis(250);

    /** Longest wait of calls for a worker that cannot be started; then the waiting calls fail. */
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);

    private final WorkerPool pool;
    private final WorkerArchive archive;
    private final Starter starter;

    /** Replacement that is starting; null if there is none. */
    private WorkerSuccessor successor;

    /** Starts a process and waits until it is ready. */
    @FunctionalInterface
    interface Starter {
        WorkerProcess start() throws IOException;
    }

    WorkerThread(WorkerPool pool, WorkerArchive archive, Starter starter) {
        this.pool = pool;
        this.archive = archive;
        this.starter = starter;
    }

    void work() {
        WorkerProcess process = null;
        boolean dismissed = false;
        try {
            process = first();
            while (!dismissed) {
                process = awaited(process);
                Optional<CallBatch> batch = pool.take(process == null ? 0 : process.calls());
                if (batch.isPresent()) {
                    execute(process, batch.get());
                }
                dismissed = batch.isEmpty();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            if (process != null) {
                process.close();
            }
            dropSuccessor();
            pool.left(dismissed);
        }
    }

    private WorkerProcess first() throws InterruptedException {
        try {
            return awaited(null);
        } finally {
            pool.begun();
        }
    }

    /**
     * The live process, or a new one as soon as it can be started: waiting calls keep their position. Calls that have waited too
     * long fail. Null if the pool is closed in the meantime.
     */
    private WorkerProcess awaited(WorkerProcess before) throws InterruptedException {
        var process = ready(before, true);
        if (process != null || pool.isClosed()) {
            return process;
        }
        pool.starting(1);
        try {
            var leftNanos = START_PATIENCE.toNanos();
            while (process == null && pool.awaitOpen(START_AGAIN)) {
                leftNanos -= START_AGAIN.toNanos();
                var tooLong = leftNanos <= 0;
                if (tooLong) {
                    leftNanos = START_PATIENCE.toNanos();
                    pool.failWaiting();
                }
                process = ready(null, tooLong);
            }
            return process;
        } finally {
            pool.starting(-1);
        }
    }

    /**
     * Live process, or a new one; null if none can be started. A process that was started before there was an archive and has made
     * few calls is replaced too, because its successor compiles hot code at once. The old process makes the calls until then: a
     * start takes seconds on a busy machine.
     */
    private WorkerProcess ready(WorkerProcess process, boolean logged) {
        try {
            if (process != null && process.isFit()) {
                if (!process.isWornIn() && !process.isOf(archive)) {
                    return instead(process);
                }
                dropSuccessor();
                return process;
            }
            if (process != null) {
                process.close();
            }
            if (pool.isClosed()) {
                return null;
            }
            var started = successor == null ? starter.start() : successor.get();
            successor = null;
            archive.makeOnce();
            return started;
        } catch (IOException | RuntimeException | Error failure) {
            if (process != null) {
                process.close();
            }
            dropSuccessor();
            // Errors too: a thread that they end would be replaced at once, and the new one would fail the same way.
            if (logged && !pool.isClosed()) {
                LOG.error("a code worker cannot be started", failure);
            }
            return null;
        }
    }

    /** Replacement if it is ready, otherwise the given process. */
    private WorkerProcess instead(WorkerProcess process) {
        if (successor == null) {
            successor = new WorkerSuccessor(starter);
        }
        var ready = successor.ifReady();
        if (ready.isEmpty()) {
            return process;
        }
        successor = null;
        process.close();
        return ready.get();
    }

    /** Drops the replacement. A process that has been worn in meanwhile stays; its replacement would stay idle. */
    private void dropSuccessor() {
        if (successor != null) {
            successor.close();
            successor = null;
        }
    }

    private void execute(WorkerProcess process, CallBatch batch) {
        try {
            if (process != null) {
                process.execute(batch, pool.isLongCaller(batch.key()), this);
                if (process.wasLong()) {
                    pool.noteLong(batch.key());
                }
            }
        } catch (IOException | RuntimeException | Error failure) {
            LOG.error("a code worker failed", failure);
            process.close();
        } finally {
            pool.done(batch, process != null && process.isFit());
            batch.left().forEach(call -> call.fail(WorkerPool.unavailable()));
        }
    }

    @Override
    public void giveBack(List<PendingCall> calls) {
        pool.giveBack(calls);
    }

    @Override
    public void ends(PendingCall call, CodeResult result) {
        pool.ends(call, result);
    }
}
