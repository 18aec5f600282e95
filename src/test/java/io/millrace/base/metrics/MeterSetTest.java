package io.millrace.base.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class MeterSetTest {
    private final MeterSet meters = new MeterSet();

    @Test
    void putsADurationIntoTheFirstBucketThatHoldsIt() {
        var durations = meters.durations(ServerMeter.EVENT_LOOP_LAG);

        // When
        durations.record(-5);
        durations.record(500_000);
        durations.record(500_001);
        durations.record(TimeUnit.HOURS.toNanos(1));

        // Then
        var point = ((HistogramSnapshot) only()).getDataPoints().getFirst();
        assertThat(point.getClassicBuckets().getUpperBound(0)).isEqualTo(0.0005);
        assertThat(point.getClassicBuckets().getCount(0)).isEqualTo(2);
        assertThat(point.getClassicBuckets().getCount(1)).isEqualTo(1);
        assertThat(point.getClassicBuckets().getUpperBound(17)).isEqualTo(Double.POSITIVE_INFINITY);
        assertThat(point.getClassicBuckets().getCount(17)).isEqualTo(1);
        assertThat(point.getSum()).isEqualTo(3600.001000001);
    }

    @Test
    void putsAValueIntoTheFirstBucketThatHoldsIt_besideEachBound() {
        // Given
        var bounds = LongStream.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 512).toArray();

        for (var bucket = 0; bucket < bounds.length; bucket++) {
            // When
            var one = new MeterSet();
            var counts = one.counts(ServerMeter.COMMIT_SIZE);
            counts.record(bounds[bucket]);
            counts.record(bounds[bucket] + 1);

            // Then
            var found = counts.buckets();
            assertThat(found.getCount(bucket)).as("at %d", bounds[bucket]).isEqualTo(1);
            assertThat(found.getCount(bucket + 1))
                    .as("above %d", bounds[bucket])
                    .isEqualTo(1);
        }
    }

    @Test
    void keepsTheLastTraceOfEachBucket() {
        var durations = meters.durations(ServerMeter.EVENT_LOOP_LAG);

        // When
        durations.record(400_000, "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
        durations.record(300_000, "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
        durations.record(TimeUnit.HOURS.toNanos(1), "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
        durations.record(100_000);

        // Then
        var point = ((HistogramSnapshot) only()).getDataPoints().getFirst();
        assertThat(point.getCount()).isEqualTo(4);
        assertThat(point.getExemplars().size()).isEqualTo(2);
        var first = point.getExemplars().get(0, 0.0005);
        assertThat(first.getValue()).isEqualTo(0.0003);
        assertThat(first.getLabels().get("trace_id")).isEqualTo("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(first.getLabels().get("span_id")).isEqualTo("00f067aa0ba902b7");
        assertThat(point.getExemplars().get(600, Double.POSITIVE_INFINITY).getValue())
                .isEqualTo(3600);
    }

    @Test
    void countsNothing_whenNothingIsToBeCounted() {
        var off = new MeterSet(false);

        // When
        off.counter(ServerMeter.COMMIT_FAILURES).increment();
        off.durations(ServerMeter.EVENT_LOOP_LAG).record(1, "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");

        // Then
        assertThat(off.counter(ServerMeter.COMMIT_FAILURES).value()).isZero();
        assertThat(off.durations(ServerMeter.EVENT_LOOP_LAG).sum()).isZero();
        assertThat(off.durations(ServerMeter.EVENT_LOOP_LAG).examples().size()).isZero();
    }

    @Test
    void losesNothing_whenManyThreadsCount() {
        IntStream.range(0, 10_000)
                .parallel()
                .forEach(_ -> meters.counter(ServerMeter.COMMIT_FAILURES).increment());

        assertThat(meters.counter(ServerMeter.COMMIT_FAILURES).value()).isEqualTo(10_000);
    }

    @Test
    void refusesOtherLabelsThanAreDocumented() {
        assertThatThrownBy(() -> meters.counter(ServerMeter.RUNS_ENDED, "FAILED"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "expected COUNTER RUNS_ENDED with labels [status, environment], found COUNTER with 1 labels");
        assertThatThrownBy(() -> meters.counter(ServerMeter.RUN_MEMORY)).isInstanceOf(IllegalArgumentException.class);
    }

    private MetricSnapshot only() {
        var snapshots = meters.collect();
        assertThat(snapshots.size()).isEqualTo(1);
        return snapshots.get(0);
    }
}
