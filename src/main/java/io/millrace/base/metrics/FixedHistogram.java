package io.millrace.base.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.concurrent.atomic.LongAdder;

/** Counts values in buckets whose bounds never change. Thread-safe; makes nothing. */
public final class FixedHistogram {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Bounds of durations in nanoseconds: 0.5 ms to 10 minutes. */
    private static final long[] DURATIONS = {
        500_000L,
        1_000_000L,
        2_500_000L,
        5_000_000L,
        10_000_000L,
        25_000_000L,
        50_000_000L,
        100_000_000L,
        250_000_000L,
        500_000_000L,
        1_000_000_000L,
        2_500_000_000L,
        5_000_000_000L,
        10_000_000_000L,
        30_000_000_000L,
        60_000_000_000L,
        600_000_000_000L
    };

    private static final long[] COUNTS = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};

    private final long[] bounds;
    private final double unit;
    private final LongAdder[] buckets;
    private final LongAdder sum = new LongAdder();

    private FixedHistogram(long[] bounds, double unit) {
        this.bounds = bounds;
        this.unit = unit;
        this.buckets = new LongAdder[bounds.length + 1];
        for (var bucket = 0; bucket < buckets.length; bucket++) {
            buckets[bucket] = new LongAdder();
        }
    }

    static FixedHistogram ofDurations() {
        return new FixedHistogram(DURATIONS, NANOS_PER_SECOND);
    }

    static FixedHistogram ofCounts() {
        return new FixedHistogram(COUNTS, 1);
    }

    /** Counts a value: nanoseconds of a duration, or how many. What is negative counts as none. */
    public void record(long value) {
        var counted = Math.max(0, value);
        var bucket = 0;
        while (bucket < bounds.length && counted > bounds[bucket]) {
            bucket++;
        }
        buckets[bucket].increment();
        sum.add(counted);
    }

    /** Sum in the unit that is told. */
    double sum() {
        return sum.sum() / unit;
    }

    /** Each bucket for itself, the last one without a bound. */
    ClassicHistogramBuckets buckets() {
        var upper = new double[buckets.length];
        var counts = new long[buckets.length];
        for (var bucket = 0; bucket < buckets.length; bucket++) {
            upper[bucket] = bucket < bounds.length ? bounds[bucket] / unit : Double.POSITIVE_INFINITY;
            counts[bucket] = buckets[bucket].sum();
        }
        return ClassicHistogramBuckets.of(upper, counts);
    }
}
