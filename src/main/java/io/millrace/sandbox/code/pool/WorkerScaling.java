package io.millrace.sandbox.code.pool;

import io.millrace.sandbox.code.CodeSettings;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and wakes workers for the waiting calls of a pool. Callers hold the pool's lock, and its timers take it. A closed pool has
 * no waiting calls, so that no worker is started for it.
 */
final class WorkerScaling {
    private static final Logger LOG = LoggerFactory.getLogger(WorkerScaling.class);
    private static final long LOOK_MS = 25;
    private static final long AGING_MS = 250;

    private final CodeSettings settings;
    private final ScheduledExecutorService clock;
    private final ReentrantLock lock;
    private final CallLine line;
    private final BatchesInWork inWork;
    private final WorkerCounts counts;
    private final RestingWorkers resting;
    private final Supplier<Runnable> threads;

    private boolean lookPlanned;

    /** True if held-back keys are to be checked again when running calls have become long ones. */
    private boolean agingPlanned;

    /** @param threads makes the work of a further thread */
    WorkerScaling(
            CodeSettings settings,
            ScheduledExecutorService clock,
            ReentrantLock lock,
            CallLine line,
            BatchesInWork inWork,
            WorkerCounts counts,
            RestingWorkers resting,
            Supplier<Runnable> threads) {
        this.settings = settings;
        this.clock = clock;
        this.lock = lock;
        this.line = line;
        this.inWork = inWork;
        this.counts = counts;
        this.resting = resting;
        this.threads = threads;
    }

    void update() {
        startIfNeeded();
        wakeIfNeeded();
    }

    /**
     * Starts a worker at once if there is none; a further one only after the others have proved too slow. A start costs the
     * processor time of ten thousand short calls, and would delay the calls that it is for.
     */
    void startIfNeeded() {
        if (counts.all() == 0 && line.hasNext()) {
            start();
        } else if (!lookPlanned && line.hasNext()) {
            planLook(LOOK_MS);
        } else if (!agingPlanned && line.waiting() > 0) {
            agingPlanned = true;
            var _ = clock.schedule(this::lookAtAged, AGING_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Wakes an idle worker for waiting calls, unless enough workers are busy: those take the next calls themselves. */
    void wakeIfNeeded() {
        if (!resting.isEmpty() && line.hasNext() && inWork.leaveRoom(line)) {
            resting.wakeOne();
        }
    }

    private void planLook(long delayMs) {
        lookPlanned = true;
        var _ = clock.schedule(this::look, delayMs, TimeUnit.MILLISECONDS);
    }

    private void lookAtAged() {
        lock.lock();
        try {
            agingPlanned = false;
            update();
        } finally {
            lock.unlock();
        }
    }

    private void look() {
        lock.lock();
        try {
            lookPlanned = false;
            if (inWork.areLate(line)) {
                if (counts.free() > 0) {
                    resting.wakeOne();
                } else if (counts.haveBegun()
                        && counts.all() < settings.workers().ceiling()) {
                    start();
                }
            }
            startIfNeeded();
        } finally {
            lock.unlock();
        }
    }

    /** Starts a worker. Without a thread for it, the waiting calls are looked at again later. */
    void start() {
        counts.add();
        var work = threads.get();
        try {
            Thread.ofPlatform().daemon().name("code-worker-" + counts.all()).start(work);
        } catch (OutOfMemoryError noThread) {
            LOG.warn("cannot start a thread for a code worker, retrying: {}", noThread.getMessage());
            counts.withdraw();
            planLook(WorkerThread.START_AGAIN.toMillis());
        }
    }
}
