package io.millrace.sandbox.code.worker;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;

/**
 * Stops one call from outside its thread: closes its context wherever it is, and wakes it where it waits for a timer.
 *
 * <p>A few builtins of the engine never look up while they work; those end only with the process.
 */
final class StopSignal {
    private final Semaphore stopped = new Semaphore(0);
    private Context context;
    private boolean raised;

    /** Names the context that a stop closes; closes it at once when the stop came first. */
    void attach(Context running) {
        boolean late;
        synchronized (this) {
            context = running;
            late = raised;
        }
        if (late) {
            running.close(true);
        }
    }

    /** Nothing is left to be closed: the call has its result. */
    synchronized void detach() {
        context = null;
    }

    void raise() {
        Context running;
        synchronized (this) {
            raised = true;
            running = context;
        }
        stopped.release();
        if (running != null) {
            running.close(true);
        }
    }

    synchronized boolean isRaised() {
        return raised;
    }

    /** Waits; true when the stop came before the time was over. */
    boolean raisedWithin(long waitMs) throws InterruptedException {
        return stopped.tryAcquire(waitMs, TimeUnit.MILLISECONDS);
    }
}
