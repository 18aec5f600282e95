package io.millrace.sandbox.code;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.io.IOException;
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
 * The threads that each own a worker process, and the queue they take calls from.
 *
 * <p>A thread replaces its process before it takes the next call, so that no call waits for a start while another
 * worker is warm. One lock guards the queue and the counts.
 */
final class WorkerPool {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerPool.class);

    private static final Duration LONG_CALL_REMEMBERED = Duration.ofSeconds(30);

    /** A host that has no process or file to spare now may have one a moment later. */
    private static final Duration START_AGAIN = Duration.ofMillis(250);

    /** So long calls wait for a worker that cannot be started; then those that wait fail. */
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);

    private static final int BATCH_MAX = 16;
    private static final long LOOK_MS = 25;

    /** A call that has been at work for so long keeps others waiting. One of a virtual machine that has just started may. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Who has waited for so long needs another worker, if there are processors for it. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Who has waited for so long needs another worker in any case. */
    private static final long PATIENCE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(250);

    /** So many workers make short calls at the same time: beyond that they take processors from each other. */
    private static final int BUSY_MAX = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final CodeSettings settings;
    private final WorkerArchive archive;
    private final ScheduledExecutorService clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final FairQueue<PendingCall> queue;
    private final LongCallers longCallers = new LongCallers(LONG_CALL_REMEMBERED.toNanos());
    private final Set<CallBatch> inWork = new HashSet<>();
    private final Promise<Void> ended = Promise.promise();
    private int workers;
    private int free;

    /** Workers whose process cannot be started at the moment. */
    private int starting;

    /** Workers that have not been ready yet. */
    private int unready;

    private boolean lookPlanned;
    private boolean closed;

    WorkerPool(CodeSettings settings) {
        this.settings = settings;
        archive = new WorkerArchive(settings);
        queue = new FairQueue<>(settings.waitingMax(), settings.waitingPerKeyMax(), settings.workersPerKeyMax());
        clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("code-clock").factory());
        LOG.debug("code workers start with {}", WorkerProcess.load());
    }

    CodeLoad load() {
        lock.lock();
        try {
            return new CodeLoad(Math.max(0, workers - free), free, queue.size());
        } finally {
            lock.unlock();
        }
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

    /** Queues the call; false when too many wait. */
    boolean submit(PendingCall ticket) {
        lock.lock();
        try {
            if (closed || !queue.offer(ticket.key(), ticket)) {
                return false;
            }
            startWorkerIfNeeded();
            changed.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    void cancel(PendingCall ticket) {
        boolean waited;
        lock.lock();
        try {
            waited = queue.remove(ticket.key(), ticket);
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
            waiting = queue.drain();
            running = inWork.stream().flatMap(batch -> batch.left().stream()).toList();
            endIfEmpty();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        waiting.forEach(ticket -> ticket.complete(new CodeResult.Cancelled(ConsoleLog.empty())));
        running.forEach(PendingCall::cancel);
        return ended.future();
    }

    /**
     * Where none is, one starts at once; a further one when it is known that the others do not keep up. A start costs the
     * processor time of ten thousand short calls, and would delay just those that it is for.
     */
    private void startWorkerIfNeeded() {
        if (workers == 0 && queue.hasNext()) {
            startWorker();
        } else if (!lookPlanned && !closed && queue.hasNext()) {
            lookPlanned = true;
            var _ = clock.schedule(this::look, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void look() {
        lock.lock();
        try {
            lookPlanned = false;
            if (isLate(System.nanoTime())) {
                if (free > 0) {
                    changed.signalAll();
                } else if (unready == 0 && workers < settings.workersMax()) {
                    startWorker();
                }
            }
            startWorkerIfNeeded();
        } finally {
            lock.unlock();
        }
    }

    /** Whether calls wait that those who are at work will not come to soon. */
    private boolean isLate(long nowNanos) {
        if (inWork.stream().allMatch(batch -> batch.isOlderThan(LONG_NANOS, nowNanos))) {
            return queue.hasNext();
        }
        long patience = inWork.size() < BUSY_MAX ? PATIENCE_NANOS : PATIENCE_NANOS_MAX;
        return queue.hasNext(ticket -> ticket.isOlderThan(patience, nowNanos));
    }

    private void startWorker() {
        workers++;
        unready++;
        Thread.ofPlatform().daemon().name("code-worker-" + workers).start(this::work);
    }

    private void work() {
        WorkerProcess process = null;
        try {
            process = first();
            Optional<CallBatch> batch;
            do {
                process = awaited(process);
                batch = take();
                if (batch.isPresent()) {
                    execute(process, batch.get());
                }
            } while (batch.isPresent());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            if (process != null) {
                process.close();
            }
            left();
        }
    }

    private WorkerProcess first() throws InterruptedException {
        try {
            return awaited(null);
        } finally {
            lock.lock();
            try {
                unready--;
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * The living process, or a new one as soon as it can be started: the calls that wait keep their place. Those that
     * have waited for too long fail. Null when this pool is closed meanwhile.
     */
    private WorkerProcess awaited(WorkerProcess before) throws InterruptedException {
        var process = ready(before, true);
        if (process != null || isClosed()) {
            return process;
        }
        starting(1);
        try {
            var leftNanos = START_PATIENCE.toNanos();
            while (process == null && awaitNextStart()) {
                leftNanos -= START_AGAIN.toNanos();
                var tooLong = leftNanos <= 0;
                if (tooLong) {
                    leftNanos = START_PATIENCE.toNanos();
                    failWaiting();
                }
                process = ready(null, tooLong);
            }
            return process;
        } finally {
            starting(-1);
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void starting(int change) {
        lock.lock();
        try {
            starting += change;
        } finally {
            lock.unlock();
        }
    }

    /** False when the pool is closed. */
    private boolean awaitNextStart() throws InterruptedException {
        lock.lock();
        try {
            var leftNanos = START_AGAIN.toNanos();
            while (leftNanos > 0 && !closed) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Unless another worker has a process, and will come to them. */
    private void failWaiting() {
        List<PendingCall> waiting;
        lock.lock();
        try {
            waiting = starting == workers ? queue.drain() : List.of();
        } finally {
            lock.unlock();
        }
        waiting.forEach(ticket -> ticket.fail(unavailable()));
    }

    /**
     * The living process, or a new one; null when none can be started. What started before there was an archive and has
     * hardly been used is replaced too: its successor compiles at once what this one would still have to find out.
     */
    private WorkerProcess ready(WorkerProcess process, boolean logged) {
        try {
            if (process != null && process.isFit() && (process.isWornIn() || process.isOf(archive))) {
                return process;
            }
            if (process != null) {
                process.close();
            }
            if (isClosed()) {
                return null;
            }
            WorkerProcess started = WorkerProcess.start(settings, archive, clock);
            archive.makeOnce();
            return started;
        } catch (IOException | RuntimeException failure) {
            if (logged && !isClosed()) {
                LOG.error("A code worker cannot be started", failure);
            }
            return null;
        }
    }

    private void execute(WorkerProcess process, CallBatch batch) {
        try {
            if (process != null) {
                process.execute(batch, isLongCaller(batch.key()), this::giveBack);
                noteLong(process, batch.key());
            }
        } catch (IOException | RuntimeException failure) {
            LOG.error("A code worker failed", failure);
            process.close();
        } finally {
            done(batch);
            batch.left().forEach(ticket -> ticket.fail(unavailable()));
        }
    }

    private void noteLong(WorkerProcess process, String key) {
        if (process.wasLong()) {
            lock.lock();
            try {
                longCallers.add(key, System.nanoTime());
            } finally {
                lock.unlock();
            }
        }
    }

    /** Another worker is to make these calls, before those that came after them. */
    private void giveBack(List<PendingCall> calls) {
        boolean late = false;
        lock.lock();
        try {
            late = closed;
            if (!late && !calls.isEmpty()) {
                queue.giveBack(calls.getFirst().key(), calls);
                startWorkerIfNeeded();
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
        if (late) {
            calls.forEach(ticket -> ticket.complete(new CodeResult.Cancelled(ConsoleLog.empty())));
        }
    }

    private boolean isLongCaller(String key) {
        lock.lock();
        try {
            return longCallers.contains(key, System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** Waits for calls; empty when this worker should end. */
    private Optional<CallBatch> take() throws InterruptedException {
        lock.lock();
        try {
            free++;
            List<PendingCall> next = awaitNext();
            free--;
            if (next.isEmpty()) {
                return Optional.empty();
            }
            CallBatch batch = new CallBatch(next);
            inWork.add(batch);
            startWorkerIfNeeded();
            return Optional.of(batch);
        } finally {
            lock.unlock();
        }
    }

    private List<PendingCall> awaitNext() throws InterruptedException {
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(settings.idleMs());
        List<PendingCall> next = next();
        while (next.isEmpty() && !closed && (leftNanos > 0 || workers == 1)) {
            // The last worker stays, so that a step now and then finds it warm.
            leftNanos = changed.awaitNanos(Math.max(leftNanos, TimeUnit.SECONDS.toNanos(1)));
            next = next();
        }
        return next;
    }

    /** One while other workers are free; else this worker's share of what waits, so that a round trip serves many. */
    private List<PendingCall> next() {
        long nowNanos = System.nanoTime();
        if (inWork.size() >= BUSY_MAX && !isLate(nowNanos)) {
            return List.of();
        }
        int share =
                free > 1 && inWork.size() + 1 < BUSY_MAX ? 1 : Math.ceilDiv(queue.size(), Math.min(workers, BUSY_MAX));
        return queue.next(
                Math.clamp(share, 1, BATCH_MAX),
                ticket -> ticket.isAgain() || longCallers.contains(ticket.key(), nowNanos));
    }

    private void done(CallBatch batch) {
        lock.lock();
        try {
            inWork.remove(batch);
            queue.done(batch.key());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void left() {
        lock.lock();
        try {
            workers--;
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

    private static ApiException unavailable() {
        return ApiException.of(ErrorCode.UNAVAILABLE, "The code step could not be run");
    }
}
