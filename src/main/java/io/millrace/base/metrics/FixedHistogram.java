package io.millrace.base.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplar;
import io.prometheus.metrics.model.snapshots.Exemplars;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/**
 * Counts values in buckets with fixed bounds, unless counting is off. Thread-safe; allocates nothing, except for exemplars:
 * each bucket keeps the trace of its last value.
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

    private static final int[] FIRST_DURATIONS = firstBuckets(DURATIONS);
    private static final int[] FIRST_COUNTS = firstBuckets(COUNTS);

    private final long[] bounds;

    /** The first bucket that may hold a value, by the number of its binary digits. */
    private final int[] firstBuckets;

    private final double unit;
    private final EventLoopSums sums;

    /** Place of the first bucket; the last one is followed by the sum of all values. */
    private final int place;

    private final AtomicReferenceArray<Exemplar> examples;

    private FixedHistogram(long[] bounds, int[] firstBuckets, double unit, EventLoopSums sums) {
        this.bounds = bounds;
        this.firstBuckets = firstBuckets;
        this.unit = unit;
        this.sums = sums;
        this.examples = new AtomicReferenceArray<>(bounds.length + 1);
        this.place = sums.take(bounds.length + 2);
    }

    static FixedHistogram ofDurations(EventLoopSums sums) {
        return new FixedHistogram(DURATIONS, FIRST_DURATIONS, NANOS_PER_SECOND, sums);
    }

    static FixedHistogram ofCounts(EventLoopSums sums) {
        return new FixedHistogram(COUNTS, FIRST_COUNTS, 1, sums);
    }

    /** Records a value: nanoseconds of a duration, or a count. A negative value counts as zero. */
    public void record(long value) {
        if (sums.isCounting()) {
            var counted = Math.max(0, value);
            sums.add(place + bucketOf(counted), 1);
            sums.add(place + bounds.length + 1, counted);
        }
    }

    /** Counts a value of something whose trace is recorded, and keeps that trace as the example of its bucket. */
    public void record(long value, String traceId, String spanId) {
        record(value);
        if (sums.isCounting()) {
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
        var bucket = firstBuckets[digits(value)];
        while (bucket < bounds.length && value > bounds[bucket]) {
            bucket++;
        }
        return bucket;
    }

    private static int[] firstBuckets(long[] bounds) {
        var first = new int[Long.SIZE + 1];
        for (var bucket = 0; bucket < bounds.length; bucket++) {
            // Values with more digits exceed the bound.
            for (var digits = digits(bounds[bucket]) + 1; digits < first.length; digits++) {
                first[digits] = bucket + 1;
            }
        }
        return first;
    }

    private static int digits(long value) {
        return Long.SIZE - Long.numberOfLeadingZeros(value);
    }

    /** Sum in the exported unit. */
    double sum() {
        return sums.sum(place + bounds.length + 1) / unit;
    }

    Exemplars examples() {
        return Exemplars.of(IntStream.range(0, examples.length())
                .mapToObj(examples::get)
                .filter(Objects::nonNull)
                .toList());
    }

    /** Each bucket separately, the last one without a bound. */
    ClassicHistogramBuckets buckets() {
        var upper = new double[bounds.length + 1];
        var counts = new long[upper.length];
        for (var bucket = 0; bucket < upper.length; bucket++) {
            upper[bucket] = bucket < bounds.length ? bounds[bucket] / unit : Double.POSITIVE_INFINITY;
            counts[bucket] = sums.sum(place + bucket);
        }
        return ClassicHistogramBuckets.of(upper, counts);
    }
}
