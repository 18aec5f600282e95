package io.millrace.base.metrics;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Sums of all counters of a server, striped by event loop. Each event loop adds to a row that only it writes, and all other
 * threads share one more; a reader adds the rows up. Counting therefore costs a load and a store. An atomic addition would
 * stall the processor until its store buffer is drained (decision 0132). Thread-safe.
 */
final class EventLoopSums {
    /** A power of two, larger than the number of event loops; a loop whose row is taken counts in the shared one. */
    private static final int ROWS = 64;

    private final AtomicInteger places = new AtomicInteger();
    private final AtomicReferenceArray<Row> rows = new AtomicReferenceArray<>(ROWS);
    private final Sums others = new Sums(0);
    private final boolean isCounting;

    /** @param isCounting true if anything is added at all */
    EventLoopSums(boolean isCounting) {
        this.isCounting = isCounting;
    }

    boolean isCounting() {
        return isCounting;
    }

    /** Allocates consecutive places and returns the first. */
    int take(int count) {
        return places.getAndAdd(count);
    }

    void add(int place, long amount) {
        if (isCounting) {
            var thread = Thread.currentThread();
            var row = rows.getAcquire(rowOf(thread));
            if (row != null && row.ownerId == thread.threadId()) {
                row.sums.add(place, amount);
            } else {
                addElsewhere(thread, place, amount);
            }
        }
    }

    long sum(int place) {
        var sum = others.get(place);
        for (var index = 0; index < ROWS; index++) {
            var row = rows.getAcquire(index);
            sum += row == null ? 0 : row.sums.get(place);
        }
        return sum;
    }

    private void addElsewhere(Thread thread, int place, long amount) {
        if (thread instanceof FastThreadLocalThread && claims(thread)) {
            rows.getAcquire(rowOf(thread)).sums.add(place, amount);
        } else {
            synchronized (others) {
                others.add(place, amount);
            }
        }
    }

    /** A row has no owner at first, and is free again when its thread has ended: the next thread continues its sums. */
    private synchronized boolean claims(Thread thread) {
        var index = rowOf(thread);
        var row = rows.get(index);
        if (row != null && row.owner.isAlive()) {
            return false;
        }
        rows.set(index, new Row(thread, thread.threadId(), row == null ? new Sums(places.get()) : row.sums));
        return true;
    }

    /** Threads that are made in sequence, such as event loops, have adjacent rows. */
    private static int rowOf(Thread thread) {
        return (int) thread.threadId() & (ROWS - 1);
    }

    private record Row(Thread owner, long ownerId, Sums sums) {}

    /** Sums of one writing thread, readable by all threads. */
    private static final class Sums {
        private static final int SPARE = 256;

        private volatile AtomicLongArray sums;

        Sums(int places) {
            sums = new AtomicLongArray(places);
        }

        void add(int place, long amount) {
            var current = sums;
            if (place >= current.length()) {
                current = grown(current, place);
                sums = current;
            }
            current.setOpaque(place, current.getPlain(place) + amount);
        }

        long get(int place) {
            var current = sums;
            return place < current.length() ? current.getOpaque(place) : 0;
        }

        /** Counters may be made after the first count. */
        private static AtomicLongArray grown(AtomicLongArray sums, int place) {
            var more = new AtomicLongArray(place + SPARE);
            for (var index = 0; index < sums.length(); index++) {
                more.setPlain(index, sums.getPlain(index));
            }
            return more;
        }
    }
}
