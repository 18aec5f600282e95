package io.millrace.sandbox.code.worker;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Checks the running call periodically: stops it at its time limit and ends the process when its heap is full. A call that ends
 * before the first look costs it nothing.
 */
final class CallWatch implements Runnable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LATER_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final double FULL = 0.9;

    private final HeapWatch heap;
    private final Runnable firstLook;

    /** Current call; null between calls. */
    private volatile Call running;

    /** Thread of the watch while it waits for a call; otherwise null. */
    private volatile Thread resting;

    private record Call(StopSignal stop, long beganNanos, long limitNanos) {}

    /** @param firstLook called at the first check of each call */
    CallWatch(HeapWatch heap, Runnable firstLook) {
        this.heap = heap;
        this.firstLook = firstLook;
    }

    void begin(StopSignal stop, long limitMs) {
        running = new Call(stop, System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(limitMs));
        Thread watcher = resting;
        if (watcher != null) {
            LockSupport.unpark(watcher);
        }
    }

    void end() {
        running = null;
    }

    @Override
    public void run() {
        Call seen = null;
        long lastNanos = System.nanoTime();
        while (true) {
            Call call = running;
            if (call != null) {
                lastNanos = System.nanoTime();
                look(call, !call.equals(seen));
            } else if (System.nanoTime() - lastNanos > IDLE_NANOS) {
                rest();
                lastNanos = System.nanoTime();
            }
            seen = call;
            LockSupport.parkNanos(call == null ? LOOK_NANOS : pause(call));
        }
    }

    private void rest() {
        resting = Thread.currentThread();
        while (running == null) {
            LockSupport.park(this);
        }
        resting = null;
    }

    private void look(Call call, boolean first) {
        if (first) {
            firstLook.run();
        }
        if (System.nanoTime() - call.beganNanos >= call.limitNanos) {
            call.stop.raise();
        }
        if (heap.liveShare() > FULL) {
            Runtime.getRuntime().halt(WorkerMain.EXIT_MEMORY);
        }
    }

    private static long pause(Call call) {
        long leftNanos = call.beganNanos + call.limitNanos - System.nanoTime();
        long wanted = System.nanoTime() - call.beganNanos < LATER_LOOK_NANOS ? LOOK_NANOS : LATER_LOOK_NANOS;
        return Math.max(TimeUnit.MILLISECONDS.toNanos(1), Math.min(leftNanos, wanted));
    }
}
