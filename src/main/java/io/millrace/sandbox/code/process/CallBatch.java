package io.millrace.sandbox.code.process;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Calls of one key that a worker makes one after the other. Only the worker's thread removes calls; other threads may read. */
public final class CallBatch {
    private final String key;
    private final Deque<PendingCall> left;
    private volatile long beganNanos = System.nanoTime();

    public CallBatch(List<PendingCall> calls) {
        key = calls.getFirst().key();
        left = new ConcurrentLinkedDeque<>(calls);
    }

    public String key() {
        return key;
    }

    /** True if the current call has run longer than this; a series of short calls does not count. */
    public boolean isOlderThan(long nanos, long nowNanos) {
        return nowNanos - beganNanos > nanos;
    }

    public List<PendingCall> left() {
        return List.copyOf(left);
    }

    /** Current call, the first one that has not ended; null if all have ended. */
    PendingCall current() {
        return left.peekFirst();
    }

    void ended() {
        left.removeFirst();
        beganNanos = System.nanoTime();
    }

    List<PendingCall> withdraw(int count) {
        List<PendingCall> withdrawn = new ArrayList<>(count);
        for (int taken = 0; taken < count; taken++) {
            withdrawn.addFirst(left.removeLast());
        }
        return withdrawn;
    }
}
