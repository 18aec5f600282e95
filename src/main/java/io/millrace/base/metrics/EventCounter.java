package io.millrace.base.metrics;

/** Counts events, unless counting is off. Thread-safe; allocates nothing. */
public final class EventCounter {
    private final EventLoopSums sums;
    private final int place;

    EventCounter(EventLoopSums sums) {
        this.sums = sums;
        this.place = sums.take(1);
    }

    public void increment() {
        add(1);
    }

    public void add(long events) {
        sums.add(place, events);
    }

    long value() {
        return sums.sum(place);
    }
}
