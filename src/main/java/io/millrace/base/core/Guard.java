package io.millrace.base.core;

import java.util.function.Consumer;

/**
 * Guard of the callbacks of an actor. An exception in a callback of a future is only logged by the event loop, and the actor
 * would wait indefinitely for an event that never occurs.
 */
public final class Guard {
    private Guard() {}

    /**
     * Runs a callback.
     *
     * @param onDefect receives the exception of the callback; it ends the work of its actor
     */
    public static void run(Runnable callback, Consumer<Throwable> onDefect) {
        try {
            callback.run();
        } catch (RuntimeException | StackOverflowError defect) {
            onDefect.accept(defect);
        }
    }
}
