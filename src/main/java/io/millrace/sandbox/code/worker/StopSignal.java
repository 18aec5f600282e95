package io.millrace.sandbox.code.worker;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.graalvm.polyglot.Context;

/**
 * Stops one call from another thread: closes its context, and wakes it while it waits for a timer.
 *
 * <p>A few builtins of the engine do not check for interrupts; they end only with the process.
 */
final class StopSignal {
    private final Semaphore stopped = new Semaphore(0);
    private Context context;
    private boolean raised;

    /** Sets the context that a stop closes; closes it at once if the stop was raised before. */
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

    boolean raisedWithin(long waitMs) throws InterruptedException {
        return stopped.tryAcquire(waitMs, TimeUnit.MILLISECONDS);
    }
}
