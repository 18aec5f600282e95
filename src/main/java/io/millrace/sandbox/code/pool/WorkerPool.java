package io.millrace.sandbox.code.pool;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.sandbox.code.CodeLoad;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.process.CallBatch;
import io.millrace.sandbox.code.process.PendingCall;
import io.millrace.sandbox.code.process.WorkerArchive;
import io.millrace.sandbox.code.process.WorkerStart;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of calls and the handover to the {@link WorkerThread}s that take from it. One lock guards the queue, the batches in work
 * and the counts of workers; {@link WorkerScaling} decides how many workers there are.
 */
final class WorkerPool {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);

    private final CodeSettings settings;
    private final ScheduledExecutorService clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private final RestingWorkers resting = new RestingWorkers();
    private final CallLine line;
    private final BatchesInWork inWork = new BatchesInWork();
    private final WorkerCounts counts = new WorkerCounts();
    private final WorkerScaling scaling;
    private final Promise<Void> ended = Promise.promise();
    private boolean closed;

    @FunctionalInterface
    interface Starters {
        WorkerThread.Starter of(WorkerArchive archive, ScheduledExecutorService clock);
    }

    WorkerPool(CodeSettings settings) {
        this(settings, (archive, clock) -> () -> WorkerStart.start(settings, archive, clock));
    }

    WorkerPool(CodeSettings settings, Starters starters) {
        this.settings = settings;
        var shares = settings.shares();
        var archive = new WorkerArchive(settings);
        clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("code-clock").factory());
        line = new CallLine(settings, this::releaseLater, held -> shares.mayTake(held, inWork.busy()));
        var starter = starters.of(archive, clock);
        scaling = new WorkerScaling(
                settings,
                clock,
                lock,
                line,
                inWork,
                counts,
                resting,
                () -> new WorkerThread(this, archive, starter)::work);
        LOG.debug("code workers start with {}", WorkerStart.load());
    }

    CodeLoad load() {
        lock.lock();
        try {
            return new CodeLoad(
                    counts.busy(),
                    counts.free(),
                    line.waiting(),
                    line.held(),
                    inWork.busy().background());
        } finally {
            lock.unlock();
        }
    }

    void warmUp() {
        lock.lock();
        try {
            if (counts.all() == 0 && !closed) {
                scaling.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Queues the call, or holds it until its program may make calls again; false if too many wait. */
    boolean submit(PendingCall call) {
        lock.lock();
        try {
            if (closed || !line.offer(call)) {
                return false;
            }
            scaling.update();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void releaseLater(PendingCall call, Duration wait) {
        var _ = clock.schedule(() -> release(call), wait.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void release(PendingCall call) {
        lock.lock();
        try {
            line.release(call);
            scaling.update();
        } finally {
            lock.unlock();
        }
    }

    void cancel(PendingCall ticket) {
        boolean waited;
        lock.lock();
        try {
            waited = line.remove(ticket);
        } finally {
            lock.unlock();
        }
        if (waited) {
            ticket.complete(new CodeResult.Cancelled(ConsoleLog.empty()));
        } else {
            ticket.cancel();
        }
    }

    /** Cancels all calls; completes when the last worker has ended. */
    Future<Void> close() {
        List<PendingCall> running;
        List<PendingCall> waiting;
        lock.lock();
        try {
            closed = true;
            waiting = line.drain();
            running = inWork.calls();
            endIfEmpty();
            resting.wakeAll();
            closing.signalAll();
        } finally {
            lock.unlock();
        }
        waiting.forEach(ticket -> ticket.complete(new CodeResult.Cancelled(ConsoleLog.empty())));
        running.forEach(PendingCall::cancel);
        return ended.future();
    }

    void begun() {
        lock.lock();
        try {
            counts.begun();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    void starting(int change) {
        lock.lock();
        try {
            counts.starting(change);
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the pause; false if the pool was closed in the meantime. */
    boolean awaitOpen(Duration pause) throws InterruptedException {
        lock.lock();
        try {
            var leftNanos = pause.toNanos();
            while (leftNanos > 0 && !closed) {
                leftNanos = closing.awaitNanos(leftNanos);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Fails the waiting calls, unless another worker has a process and will take them. */
    void failWaiting() {
        List<PendingCall> waiting;
        lock.lock();
        try {
            waiting = counts.haveNoProcess() ? line.drain() : List.of();
        } finally {
            lock.unlock();
        }
        waiting.forEach(ticket -> ticket.fail(unavailable()));
    }

    void noteLong(String key) {
        lock.lock();
        try {
            line.noteLong(key);
        } finally {
            lock.unlock();
        }
    }

    void ends(PendingCall call, CodeResult result) {
        line.ends(call, result);
    }

    /**
     * Queues the calls for another worker, before later calls of their key. Canceled calls end here: each would end the worker
     * that takes it, and the next call would wait for a start.
     */
    void giveBack(List<PendingCall> calls) {
        List<PendingCall> over;
        lock.lock();
        try {
            over = calls.stream().filter(call -> closed || call.isCancelled()).toList();
            List<PendingCall> next =
                    calls.stream().filter(call -> !over.contains(call)).toList();
            if (!next.isEmpty()) {
                line.giveBack(next);
                scaling.update();
            }
        } finally {
            lock.unlock();
        }
        over.forEach(ticket -> ticket.complete(new CodeResult.Cancelled(ConsoleLog.empty())));
    }

    boolean isLongCaller(String key) {
        lock.lock();
        try {
            return line.isLongCaller(key);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for calls; empty if this worker should end.
     *
     * @param calls number of calls that this worker has made
     */
    Optional<CallBatch> take(int calls) throws InterruptedException {
        lock.lock();
        try {
            counts.rest();
            List<PendingCall> next = awaitNext(calls);
            if (next.isEmpty()) {
                counts.dismiss();
                return Optional.empty();
            }
            counts.resume();
            CallBatch batch = new CallBatch(next);
            inWork.add(batch);
            scaling.update();
            return Optional.of(batch);
        } finally {
            lock.unlock();
        }
    }

    private List<PendingCall> awaitNext(int calls) throws InterruptedException {
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(settings.idleMs());
        Condition woken = lock.newCondition();
        List<PendingCall> next = next();
        while (next.isEmpty() && !closed && (leftNanos > 0 || counts.isLast())) {
            resting.add(woken, calls);
            try {
                // The last worker stays, so that infrequent steps find it warm.
                leftNanos = woken.awaitNanos(Math.max(leftNanos, TimeUnit.SECONDS.toNanos(1)));
            } finally {
                resting.remove(woken);
            }
            next = next();
        }
        return next;
    }

    private List<PendingCall> next() {
        return inWork.leaveRoom(line) ? line.next(inWork.share(line.waiting(), counts)) : List.of();
    }

    /**
     * Records the end of a batch.
     *
     * @param comesAtOnce true if its worker takes the next calls without delay, so that no other worker has to be woken
     */
    void done(CallBatch batch, boolean comesAtOnce) {
        lock.lock();
        try {
            inWork.remove(batch);
            line.done(batch.key());
            if (!comesAtOnce) {
                scaling.wakeIfNeeded();
            }
        } finally {
            lock.unlock();
        }
    }

    void left(boolean wasDismissed) {
        lock.lock();
        try {
            counts.left(wasDismissed);
            scaling.startIfNeeded();
            endIfEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void endIfEmpty() {
        if (closed && counts.all() == 0) {
            clock.shutdown();
            ended.tryComplete();
        }
    }

    static ApiException unavailable() {
        return ApiException.of(ErrorCode.UNAVAILABLE, "The code step could not be run");
    }

    static ApiException tooMany() {
        return ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "Too many code steps are queued");
    }
}
