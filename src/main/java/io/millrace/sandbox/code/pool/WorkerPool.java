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
import io.millrace.sandbox.share.ProcessShares;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of calls, the threads that take from it, and how many of them there are. One lock guards the queue and the counts.
 * {@link WorkerThread} implements the threads.
 */
final class WorkerPool {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);
    private static final int BATCH_MAX = 16;
    private static final long LOOK_MS = 25;
    private static final long AGING_MS = 250;

    /** Running time after which a call delays others. A call in a virtual machine that has just started may take that long. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long BACKGROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(ProcessShares.LONG_MS);

    /** Wait of a call after which another worker is used, if there are processors for it. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Wait of a call after which another worker is used in any case. */
    private static final long PATIENCE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(250);

    /** Limit of workers that make short calls at the same time: more would compete for processors. */
    private static final int BUSY_MAX = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final CodeSettings settings;
    private final ProcessShares shares;
    private final WorkerArchive archive;
    private final ScheduledExecutorService clock;
    private final WorkerThread.Starter starter;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closing = lock.newCondition();
    private final RestingWorkers resting = new RestingWorkers();
    private final CallLine line;
    private final Set<CallBatch> inWork = new HashSet<>();

    private final Promise<Void> ended = Promise.promise();
    private int workers;
    private int free;

    /** Dismissed workers that have not ended yet. */
    private int dismissed;

    /** Workers whose process cannot be started at the moment. */
    private int starting;

    /** Workers that have not become ready yet. */
    private int unready;

    private boolean lookPlanned;

    /** True if held-back keys are to be checked again when running calls have become long ones. */
    private boolean agingPlanned;

    private boolean closed;

    /** Creates the starter of worker processes for a pool. */
    @FunctionalInterface
    interface Starters {
        WorkerThread.Starter of(WorkerArchive archive, ScheduledExecutorService clock);
    }

    WorkerPool(CodeSettings settings) {
        this(settings, (archive, clock) -> () -> WorkerStart.start(settings, archive, clock));
    }

    WorkerPool(CodeSettings settings, Starters starters) {
        this.settings = settings;
        shares = settings.shares();
        archive = new WorkerArchive(settings);
        clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("code-clock").factory());
        line = new CallLine(settings, this::releaseLater, held -> shares.mayTake(held, busy()));
        starter = starters.of(archive, clock);
        LOG.debug("code workers start with {}", WorkerStart.load());
    }

    CodeLoad load() {
        lock.lock();
        try {
            return new CodeLoad(Math.max(0, workers - free), free, line.waiting(), line.held(), busy().background());
        } finally {
            lock.unlock();
        }
    }

    private ProcessShares.Busy busy() {
        long nowNanos = System.nanoTime();
        long background = inWork.stream()
                .filter(batch -> batch.isOlderThan(BACKGROUND_NANOS, nowNanos))
                .count();
        return new ProcessShares.Busy(inWork.size(), (int) background);
    }

    void warmUp() {
        lock.lock();
        try {
            if (workers == 0 && !closed) {
                startWorker();
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
            startWorkerIfNeeded();
            wakeIfNeeded();
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
            startWorkerIfNeeded();
            wakeIfNeeded();
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
            running = inWork.stream().flatMap(batch -> batch.left().stream()).toList();
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

    /**
     * Starts a worker at once if there is none; a further one only after the others have proved too slow. A start costs the
     * processor time of ten thousand short calls, and would delay the calls that it is for.
     */
    private void startWorkerIfNeeded() {
        if (workers == 0 && line.hasNext()) {
            startWorker();
        } else if (!lookPlanned && !closed && line.hasNext()) {
            lookPlanned = true;
            var _ = clock.schedule(this::look, LOOK_MS, TimeUnit.MILLISECONDS);
        } else if (!agingPlanned && !closed && line.waiting() > 0) {
            agingPlanned = true;
            var _ = clock.schedule(this::lookAtAged, AGING_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void lookAtAged() {
        lock.lock();
        try {
            agingPlanned = false;
            startWorkerIfNeeded();
            wakeIfNeeded();
        } finally {
            lock.unlock();
        }
    }

    private void look() {
        lock.lock();
        try {
            lookPlanned = false;
            if (isLate(System.nanoTime())) {
                if (free > 0) {
                    resting.wakeOne();
                } else if (unready == 0 && workers < settings.workersCeiling()) {
                    startWorker();
                }
            }
            startWorkerIfNeeded();
        } finally {
            lock.unlock();
        }
    }

    /** Wakes an idle worker for waiting calls, unless enough workers are busy: those take the next calls themselves. */
    private void wakeIfNeeded() {
        if (!resting.isEmpty() && line.hasNext() && mayTake()) {
            resting.wakeOne();
        }
    }

    private boolean mayTake() {
        return inWork.size() < BUSY_MAX || isLate(System.nanoTime());
    }

    /** True if calls wait that the busy workers will not take soon. */
    private boolean isLate(long nowNanos) {
        if (inWork.stream().allMatch(batch -> batch.isOlderThan(LONG_NANOS, nowNanos))) {
            return line.hasNext();
        }
        long patience = inWork.size() < BUSY_MAX ? PATIENCE_NANOS : PATIENCE_NANOS_MAX;
        return line.hasNext(ticket -> ticket.isOlderThan(patience, nowNanos));
    }

    private void startWorker() {
        workers++;
        unready++;
        var worker = new WorkerThread(this, archive, starter);
        try {
            Thread.ofPlatform().daemon().name("code-worker-" + workers).start(worker::work);
        } catch (OutOfMemoryError noThread) {
            LOG.warn("Cannot start a thread for a code worker, retrying: {}", noThread.getMessage());
            workers--;
            unready--;
            lookPlanned = true;
            var _ = clock.schedule(this::look, WorkerThread.START_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Records that a worker has become ready or failed to start. */
    void begun() {
        lock.lock();
        try {
            unready--;
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

    /** Changes the number of workers without a process. */
    void starting(int change) {
        lock.lock();
        try {
            starting += change;
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
            waiting = starting == workers ? line.drain() : List.of();
        } finally {
            lock.unlock();
        }
        waiting.forEach(ticket -> ticket.fail(unavailable()));
    }

    /** Records a long call of the key. */
    void noteLong(String key) {
        lock.lock();
        try {
            line.noteLong(key);
        } finally {
            lock.unlock();
        }
    }

    /** Records the result of a call before its caller receives it. */
    void ends(PendingCall call, CodeResult result) {
        line.ends(call, result);
    }

    /**
     * Queues the calls for another worker, before later calls of their key. Cancelled calls end here: each would end the worker
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
                startWorkerIfNeeded();
                wakeIfNeeded();
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
            free++;
            List<PendingCall> next = awaitNext(calls);
            free--;
            if (next.isEmpty()) {
                dismissed++;
                return Optional.empty();
            }
            CallBatch batch = new CallBatch(next);
            inWork.add(batch);
            startWorkerIfNeeded();
            wakeIfNeeded();
            return Optional.of(batch);
        } finally {
            lock.unlock();
        }
    }

    private List<PendingCall> awaitNext(int calls) throws InterruptedException {
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(settings.idleMs());
        Condition woken = lock.newCondition();
        List<PendingCall> next = next();
        while (next.isEmpty() && !closed && (leftNanos > 0 || workers - dismissed == 1)) {
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

    /** One call while other workers are free; else this worker's share of the waiting calls, so that a round trip serves many. */
    private List<PendingCall> next() {
        if (!mayTake()) {
            return List.of();
        }
        int share = free > 1 && inWork.size() + 1 < BUSY_MAX
                ? 1
                : Math.ceilDiv(line.waiting(), Math.min(workers, BUSY_MAX));
        return line.next(Math.clamp(share, 1, BATCH_MAX));
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
                wakeIfNeeded();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records the end of a worker.
     *
     * @param wasDismissed true if the pool ended it
     */
    void left(boolean wasDismissed) {
        lock.lock();
        try {
            workers--;
            dismissed -= wasDismissed ? 1 : 0;
            startWorkerIfNeeded();
            endIfEmpty();
        } finally {
            lock.unlock();
        }
    }

    private void endIfEmpty() {
        if (closed && workers == 0) {
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
