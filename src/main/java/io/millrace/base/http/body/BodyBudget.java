package io.millrace.base.http.body;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.memory.HeapRoom;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Memory budget of the bodies of all connections while they are read, parsed and handed over. A request for more than is left
 * is refused at once, with 429. Thread-safe.
 *
 * <p>Large bodies leave a share to small ones, so that calls of the usual size are answered while others send megabytes. One
 * large body alone is accepted even beyond the budget, up to half of the heap: the largest body of a caller does not depend
 * on the budget.
 */
public final class BodyBudget {
    static final long SMALL_BYTES = 64 * 1024;

    /** Size from which a body competes with other large ones. */
    private static final long RIVAL_BYTES = 1 << 20;

    /** Divisor of the budget: the share that large bodies leave to small ones. */
    private static final int SMALL_SHARE = 8;

    /** Percentage of the heap that bodies and the objects made of them may take together before a large body has to wait. */
    private static final long HEAP_PERCENT = 65;

    private final long bytesMax;
    private final long oneBytesMax;
    private final long heapBytesMax;
    private final AtomicLong used = new AtomicLong();
    private final AtomicInteger rivals = new AtomicInteger();
    private final List<LongSupplier> neighbours = new CopyOnWriteArrayList<>();

    public BodyBudget(long bytesMax) {
        this(bytesMax, HeapRoom.bytesMax());
    }

    BodyBudget(long bytesMax, long heapBytes) {
        this.bytesMax = bytesMax;
        this.oneBytesMax = Math.max(bytesMax, heapBytes / 2);
        this.heapBytesMax = Math.max(bytesMax, heapBytes / 100 * HEAP_PERCENT);
    }

    /** Adds another consumer of memory that large bodies are weighed with. */
    public void weighWith(LongSupplier bytes) {
        neighbours.add(bytes);
    }

    /** Bytes in use. */
    public long used() {
        return used.get();
    }

    public Permit permit() {
        return new Permit();
    }

    /** May be freed on a different thread from the one that takes. */
    public final class Permit {
        private long bytes;
        private boolean freed;

        private Permit() {}

        /**
         * Takes more.
         *
         * @throws ApiException BODY_TOO_LARGE when the body can never fit, TOO_MANY_REQUESTS when it does not fit now
         */
        public synchronized void take(long more) {
            if (freed) {
                return;
            }
            var wanted = bytes + more;
            if (wanted > oneBytesMax) {
                throw ApiException.of(
                        ErrorCode.BODY_TOO_LARGE, "Request body needs more memory than is available for one request");
            }
            var becomesRival = bytes <= RIVAL_BYTES && wanted > RIVAL_BYTES;
            var others = rivals.get() - (bytes > RIVAL_BYTES ? 1 : 0);
            var total = used.addAndGet(more);
            if (wanted <= SMALL_BYTES ? total > bytesMax : !hasRoom(total, others)) {
                used.addAndGet(-more);
                throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "too many large requests are in progress");
            }
            bytes = wanted;
            if (becomesRival) {
                rivals.incrementAndGet();
            }
        }

        public synchronized void give(long less) {
            if (!freed) {
                used.addAndGet(-less);
                if (bytes > RIVAL_BYTES && bytes - less <= RIVAL_BYTES) {
                    rivals.decrementAndGet();
                }
                bytes -= less;
            }
        }

        /** Later takes have no effect. */
        public synchronized void free() {
            if (!freed) {
                freed = true;
                used.addAndGet(-bytes);
                if (bytes > RIVAL_BYTES) {
                    rivals.decrementAndGet();
                }
            }
        }
    }

    private boolean hasRoom(long total, int others) {
        if (others > 0 && total > bytesMax - bytesMax / SMALL_SHARE) {
            return false;
        }
        return isHeapFor(total);
    }

    /** Returns true if the heap has room for more bytes, in addition to bodies and the other budgets. */
    public boolean hasHeapFor(long more) {
        return isHeapFor(used.get() + more);
    }

    private boolean isHeapFor(long total) {
        var withOthers = total;
        for (var neighbour : neighbours) {
            withOthers += neighbour.getAsLong();
        }
        return withOthers <= heapBytesMax;
    }
}
