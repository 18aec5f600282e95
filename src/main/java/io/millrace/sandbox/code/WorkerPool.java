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

    private final CodeSettings settings;
    private final WorkerArchive archive;
    private final ScheduledExecutorService clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final FairQueue<PendingCall> queue;
    private final LongCallers longCallers = new LongCallers(LONG_CALL_REMEMBERED.toNanos());
    private final Set<PendingCall> inWork = new HashSet<>();
    private final Promise<Void> ended = Promise.promise();
    private int workers;
    private int free;

    /** Workers whose process cannot be started at the moment. */
    private int starting;

    private boolean closed;

    WorkerPool(CodeSettings settings) {
        this.settings = settings;
        archive = new WorkerArchive(settings);
        queue = new FairQueue<>(settings.waitingMax(), settings.waitingPerKeyMax(), settings.workersPerKeyMax());
        clock = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("code-clock").factory());
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
            running = List.copyOf(inWork);
            endIfEmpty();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        waiting.forEach(ticket -> ticket.complete(new CodeResult.Cancelled(ConsoleLog.empty())));
        running.forEach(PendingCall::cancel);
        return ended.future();
    }

    private void startWorkerIfNeeded() {
        if (free == 0 && workers < settings.workersMax() && queue.hasNext()) {
            startWorker();
        }
    }

    private void startWorker() {
        workers++;
        Thread.ofPlatform().daemon().name("code-worker-" + workers).start(this::work);
    }

    private void work() {
        WorkerProcess process = null;
        try {
            Optional<PendingCall> ticket;
            do {
                process = awaited(process);
                ticket = take();
                if (ticket.isPresent()) {
                    process = execute(process, ticket.get());
                }
            } while (ticket.isPresent());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } finally {
            if (process != null) {
                process.close();
            }
            left();
        }
    }

    /**
     * The living process, or a new one as soon as it can be started: the calls that wait keep their place. Those that
     * have waited for too long fail. Null when this pool is closed meanwhile.
     */
    private WorkerProcess awaited(WorkerProcess before) throws InterruptedException {
        var process = ready(before, true);
        if (process != null) {
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
     * The living process, or a new one; null when none can be started. What started before there was an archive is
     * replaced too: its successor compiles at once what this one would still have to find out.
     */
    private WorkerProcess ready(WorkerProcess process, boolean logged) {
        try {
            if (process != null && process.isFit() && process.isOf(archive)) {
                return process;
            }
            if (process != null) {
                process.close();
            }
            WorkerProcess started = WorkerProcess.start(settings, archive, clock);
            archive.makeOnce();
            return started;
        } catch (IOException | RuntimeException failure) {
            if (logged) {
                LOG.error("A code worker cannot be started", failure);
            }
            return null;
        }
    }

    private WorkerProcess execute(WorkerProcess first, PendingCall ticket) throws InterruptedException {
        WorkerProcess process = first;
        try {
            Optional<CodeResult> result = process == null ? Optional.empty() : execute(ticket, process, false);
            if (process != null && result.isEmpty()) {
                process = awaited(null);
                result = process == null ? Optional.empty() : execute(ticket, process, true);
            }
            result.ifPresentOrElse(ticket::complete, () -> ticket.fail(unavailable()));
        } catch (IOException | RuntimeException failure) {
            LOG.error("A code worker failed", failure);
            if (process != null) {
                process.close();
            }
            ticket.fail(unavailable());
        } finally {
            done(ticket);
        }
        return process;
    }

    private Optional<CodeResult> execute(PendingCall ticket, WorkerProcess process, boolean again) throws IOException {
        Optional<CodeResult> result = process.execute(ticket, isLongCaller(ticket.key()), again);
        if (process.wasLong() || result.filter(CodeResult::isAtLimit).isPresent()) {
            lock.lock();
            try {
                longCallers.add(ticket.key(), System.nanoTime());
            } finally {
                lock.unlock();
            }
        }
        return result;
    }

    private boolean isLongCaller(String key) {
        lock.lock();
        try {
            return longCallers.contains(key, System.nanoTime());
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a call; empty when this worker should end. */
    private Optional<PendingCall> take() throws InterruptedException {
        lock.lock();
        try {
            free++;
            Optional<PendingCall> next = next();
            free--;
            next.ifPresent(ticket -> {
                inWork.add(ticket);
                startWorkerIfNeeded();
            });
            return next;
        } finally {
            lock.unlock();
        }
    }

    private Optional<PendingCall> next() throws InterruptedException {
        long leftNanos = TimeUnit.MILLISECONDS.toNanos(settings.idleMs());
        Optional<PendingCall> next = queue.next();
        while (next.isEmpty() && !closed && (leftNanos > 0 || workers == 1)) {
            // The last worker stays, so that a step now and then finds it warm.
            leftNanos = changed.awaitNanos(Math.max(leftNanos, TimeUnit.SECONDS.toNanos(1)));
            next = queue.next();
        }
        return next;
    }

    private void done(PendingCall ticket) {
        lock.lock();
        try {
            inWork.remove(ticket);
            queue.done(ticket.key());
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
