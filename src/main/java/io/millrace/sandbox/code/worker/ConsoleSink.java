package io.millrace.sandbox.code.worker;

@FunctionalInterface
interface ConsoleSink {
    /** Takes one line; false when no further one is wanted. */
    boolean accept(String level, String text);

    /** Discards the output so far: the call begins again. */
    default void beginAgain() {
        // This sink keeps no lines.
    }
}
