package io.millrace.base.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * Counts values in buckets whose bounds never change, unless nothing is to be counted. Thread-safe; makes nothing, but for a
 * value that is an example: each bucket keeps the trace of the last one that fell into it.
 */
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
    private final AtomicReferenceArray<Exemplar> examples;
    private final boolean isCounting;

    private FixedHistogram(long[] bounds, double unit, boolean isCounting) {
        this.bounds = bounds;
        this.unit = unit;
        this.isCounting = isCounting;
        this.examples = new AtomicReferenceArray<>(bounds.length + 1);
        this.buckets = new LongAdder[bounds.length + 1];
        for (var bucket = 0; bucket < buckets.length; bucket++) {
            buckets[bucket] = new LongAdder();
        }
    }

    static FixedHistogram ofDurations(boolean isCounting) {
        return new FixedHistogram(DURATIONS, NANOS_PER_SECOND, isCounting);
    }

    static FixedHistogram ofCounts(boolean isCounting) {
        return new FixedHistogram(COUNTS, 1, isCounting);
    }

    /** Counts a value: nanoseconds of a duration, or how many. What is negative counts as none. */
    public void record(long value) {
        if (isCounting) {
            var counted = Math.max(0, value);
            buckets[bucketOf(counted)].increment();
            sum.add(counted);
        }
    }

    /** Counts a value of something whose trace is recorded, and keeps that trace as the example of its bucket. */
    public void record(long value, String traceId, String spanId) {
        record(value);
        if (isCounting) {
            var counted = Math.max(0, value);
            examples.set(
                    bucketOf(counted),
                    Exemplar.builder()
                            .value(counted / unit)
                            .traceId(traceId)
                            .spanId(spanId)
                            .build());
        }
    }

    private int bucketOf(long value) {
        var bucket = 0;
        while (bucket < bounds.length && value > bounds[bucket]) {
            bucket++;
        }
        return bucket;
    }

    /** Sum in the unit that is told. */
    double sum() {
        return sum.sum() / unit;
    }

    /** The last trace of each bucket that has one. */
    Exemplars examples() {
        return Exemplars.of(IntStream.range(0, examples.length())
                .mapToObj(examples::get)
                .filter(Objects::nonNull)
                .toList());
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
