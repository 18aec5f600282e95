package io.millrace.base.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Counts events. Thread-safe; makes nothing. */
public final class EventCounter {
    private final LongAdder events = new LongAdder();

    EventCounter() {}

    /** One more. */
    public void increment() {
        events.increment();
    }

    long value() {
        return events.sum();
    }
}
