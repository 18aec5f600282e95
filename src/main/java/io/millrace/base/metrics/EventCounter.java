package io.millrace.base.metrics;

import java.util.concurrent.atomic.LongAdder;

/** Counts events, unless nothing is to be counted. Thread-safe; makes nothing. */
public final class EventCounter {
    private final LongAdder events = new LongAdder();

    private final boolean isCounting;

    EventCounter(boolean isCounting) {
        this.isCounting = isCounting;
    }

    /** One more. */
    public void increment() {
        if (isCounting) {
            events.increment();
        }
    }

    long value() {
        return events.sum();
    }
}
