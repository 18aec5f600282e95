package io.millrace.sandbox.code.pool;

import io.millrace.sandbox.code.process.CallBatch;
import io.millrace.sandbox.code.process.PendingCall;
import io.millrace.sandbox.share.ProcessShares;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Batches of calls that workers execute now, and the decision whether another worker may take calls beside them. Guarded by its
 * pool's lock.
 */
final class BatchesInWork {
    private static final int BATCH_MAX = 16;

    /** Running time after which a call delays others. A call in a virtual machine that has just started may take that long. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long BACKGROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(ProcessShares.LONG_MS);

    /** Wait of a call after which another worker is used, if there are processors for it. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Wait of a call after which another worker is used in any case. */
    private static final long PATIENCE_NANOS_MAX = TimeUnit.MILLISECONDS.toNanos(250);

    /** Limit of workers that make short calls at the same time: more would compete for processors. */
    private static final int BUSY_MAX = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);

    private final Set<CallBatch> batches = new HashSet<>();

    void add(CallBatch batch) {
        batches.add(batch);
    }

    void remove(CallBatch batch) {
        batches.remove(batch);
    }

    List<PendingCall> calls() {
        return batches.stream().flatMap(batch -> batch.left().stream()).toList();
    }

    ProcessShares.Busy busy() {
        long nowNanos = System.nanoTime();
        long background = batches.stream()
                .filter(batch -> batch.isOlderThan(BACKGROUND_NANOS, nowNanos))
                .count();
        return new ProcessShares.Busy(batches.size(), (int) background);
    }

    boolean leaveRoom(CallLine line) {
        return batches.size() < BUSY_MAX || areLate(line);
    }

    /** True if calls wait that the busy workers will not take soon. */
    boolean areLate(CallLine line) {
        long nowNanos = System.nanoTime();
        if (batches.stream().allMatch(batch -> batch.isOlderThan(LONG_NANOS, nowNanos))) {
            return line.hasNext();
        }
        long patience = batches.size() < BUSY_MAX ? PATIENCE_NANOS : PATIENCE_NANOS_MAX;
        return line.hasNext(call -> call.isOlderThan(patience, nowNanos));
    }

    /**
     * Number of calls that a worker takes at once: one while other workers are free; else its share of the waiting calls, so that
     * a round trip serves many.
     */
    int share(int waiting, WorkerCounts counts) {
        int share = counts.free() > 1 && batches.size() + 1 < BUSY_MAX
                ? 1
                : Math.ceilDiv(waiting, Math.min(counts.all(), BUSY_MAX));
        return Math.clamp(share, 1, BATCH_MAX);
    }
}
