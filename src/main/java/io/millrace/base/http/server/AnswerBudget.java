package io.millrace.base.http.server;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;

/**
 * Memory budget of answers of all connections that callers have not read yet. One large answer alone is always sent.
 * Thread-safe.
 */
public final class AnswerBudget {
    private final long bytesMax;
    private final LongPredicate heap;
    private final AtomicLong used = new AtomicLong();

    /** @param heap true if there is memory for so many more bytes, in addition to all other weighed data */
    AnswerBudget(long bytesMax, LongPredicate heap) {
        this.bytesMax = bytesMax;
        this.heap = heap;
    }

    /** Bytes that clients have not read yet. */
    public long used() {
        return used.get();
    }

    boolean hasRoomFor(long bytes) {
        var before = used.get();
        return before == 0 || before + bytes <= bytesMax && heap.test(bytes);
    }

    /** An answer waits, or with a negative number, waits no longer. */
    void add(long bytes) {
        used.addAndGet(bytes);
    }
}
