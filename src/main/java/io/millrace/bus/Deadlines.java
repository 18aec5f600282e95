package io.millrace.bus;

import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * When questions stop waiting. Almost all are answered long before, and few lengths are used: so there is a queue for
 * each length, in which deadlines stand in their order, and one timer for its head instead of one for every question.
 * Safe for threads.
 */
final class Deadlines {
    /** Lengths that are kept; those of any further one come and go with their questions. */
    private static final int KEPT_MAX = 64;

    private static final long NO_TIMER = -1;

    /** Belongs to no verticle: a timer of one would end with it. */
    private final ContextInternal context;

    private final Map<Long, Queue> queues = new ConcurrentHashMap<>();

    Deadlines(VertxInternal vertx) {
        this.context = vertx.createEventLoopContext();
    }

    void start(Question question, long lengthMs) {
        var queue = queues.get(lengthMs);
        if (queue == null) {
            queue = queues.size() < KEPT_MAX
                    ? queues.computeIfAbsent(lengthMs, length -> new Queue(length, true))
                    : new Queue(lengthMs, false);
        }
        queue.add(question);
    }

    /** Questions of one length: linked, because answers come in any order. */
    final class Queue {
        private final long lengthMs;
        private final boolean kept;
        private Question first;
        private Question last;
        private long timer = NO_TIMER;

        private Queue(long lengthMs, boolean kept) {
            this.lengthMs = lengthMs;
            this.kept = kept;
        }

        private synchronized void add(Question question) {
            question.queue = this;
            question.dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(lengthMs);
            question.before = last;
            if (last == null) {
                first = question;
            } else {
                last.after = question;
            }
            last = question;
            if (timer == NO_TIMER) {
                timer = context.setTimer(lengthMs, _ -> expire());
            }
        }

        /** A second removal changes nothing. */
        synchronized void remove(Question question) {
            var isFirst = question == first;
            if (!isFirst && question.before == null) {
                return;
            }
            var isLast = question == last;
            if (isFirst) {
                first = question.after;
            } else {
                question.before.after = question.after;
            }
            if (isLast) {
                last = question.before;
            } else {
                question.after.before = question.before;
            }
            question.before = null;
            question.after = null;
            if (!kept && first == null) {
                context.owner().cancelTimer(timer);
            }
        }

        private void expire() {
            takeDue().forEach(Question::expire);
        }

        private synchronized List<Question> takeDue() {
            var due = new ArrayList<Question>();
            var now = System.nanoTime();
            while (first != null && first.dueNanos - now <= 0) {
                due.add(first);
                remove(first);
            }
            timer = first == null ? NO_TIMER : context.setTimer(millisUntil(first.dueNanos, now), _ -> expire());
            return due;
        }

        /** Rounded up: a question may wait a little longer, never less. */
        private static long millisUntil(long dueNanos, long now) {
            return TimeUnit.NANOSECONDS.toMillis(dueNanos - now) + 1;
        }
    }
}
