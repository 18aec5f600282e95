package io.millrace.sandbox.code;

import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Calls of one key that a worker makes one after the other. Its worker's thread takes from it; others may look. */
final class CallBatch {
    private final String key;
    private final Deque<PendingCall> left;
    private volatile long beganNanos = System.nanoTime();

    CallBatch(List<PendingCall> calls) {
        key = calls.getFirst().key();
        left = new ConcurrentLinkedDeque<>(calls);
    }

    String key() {
        return key;
    }

    /** Whether the call at work has been so for so long: many short ones are none that is long. */
    boolean isOlderThan(long nanos, long nowNanos) {
        return nowNanos - beganNanos > nanos;
    }

    /** The calls that have not ended. */
    List<PendingCall> left() {
        return List.copyOf(left);
    }

    /** The call at work, which is the first that has not ended; null when all have. */
    PendingCall current() {
        return left.peekFirst();
    }

    /** The call at work has ended, and the next begins. */
    void ended() {
        left.removeFirst();
        beganNanos = System.nanoTime();
    }

    /** Takes the last calls out, in their order. */
    List<PendingCall> withdraw(int count) {
        List<PendingCall> withdrawn = new ArrayList<>(count);
        for (int taken = 0; taken < count; taken++) {
            withdrawn.addFirst(left.removeLast());
        }
        return withdrawn;
    }
}
