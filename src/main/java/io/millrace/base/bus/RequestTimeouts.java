package io.millrace.base.bus;

import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Timeouts of pending requests. Almost all are answered long before, and few lengths are used: so there is a queue for each
 * length, ordered by deadline, and one timer for its head instead of a timer for every request. Thread-safe.
 */
final class RequestTimeouts {
    /** Number of timeouts with a permanent queue; the queue of any further one ends with its requests. */
    private static final int KEPT_MAX = 64;

    private static final long NO_TIMER = -1;

    /** Independent of verticles: the timer of a verticle would end with it. */
    private final ContextInternal context;

    private final Map<Long, Queue> queues = new ConcurrentHashMap<>();

    RequestTimeouts(VertxInternal vertx) {
        this.context = vertx.createEventLoopContext();
    }

    void start(PendingRequest pending, long lengthMs) {
        var queue = queues.get(lengthMs);
        if (queue == null) {
            queue = queues.size() < KEPT_MAX
                    ? queues.computeIfAbsent(lengthMs, length -> new Queue(length, true))
                    : new Queue(lengthMs, false);
        }
        queue.add(pending);
    }

    /** Requests with one timeout: linked, because answers arrive in any order. */
    final class Queue {
        private final long lengthMs;
        private final boolean kept;
        private PendingRequest first;
        private PendingRequest last;
        private long timer = NO_TIMER;

        private Queue(long lengthMs, boolean kept) {
            this.lengthMs = lengthMs;
            this.kept = kept;
        }

        private synchronized void add(PendingRequest pending) {
            pending.queue = this;
            pending.dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lengthMs);
            pending.before = last;
            if (last == null) {
                first = pending;
            } else {
                last.after = pending;
            }
            last = pending;
            if (timer == NO_TIMER) {
                timer = context.setTimer(lengthMs, _ -> expire());
            }
        }

        /** Idempotent. */
        synchronized void remove(PendingRequest pending) {
            var isFirst = pending == first;
            if (!isFirst && pending.before == null) {
                return;
            }
            var isLast = pending == last;
            if (isFirst) {
                first = pending.after;
            } else {
                pending.before.after = pending.after;
            }
            if (isLast) {
                last = pending.before;
            } else {
                pending.after.before = pending.before;
            }
            pending.before = null;
            pending.after = null;
            if (!kept && first == null) {
                context.owner().cancelTimer(timer);
            }
        }

        private void expire() {
            takeDue().forEach(PendingRequest::expire);
        }

        private synchronized List<PendingRequest> takeDue() {
            var due = new ArrayList<PendingRequest>();
            var now = System.nanoTime();
            while (first != null && first.dueNanos - now <= 0) {
                due.add(first);
                remove(first);
            }
            timer = first == null ? NO_TIMER : context.setTimer(millisUntil(first.dueNanos, now), _ -> expire());
            return due;
        }

        /** Rounded up: a pending may wait a little longer, never less. */
        private static long millisUntil(long dueNanos, long now) {
            return TimeUnit.NANOSECONDS.toMillis(dueNanos - now) + 1;
        }
    }
}
