package io.millrace.base.metrics;

import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Metrics of one server. A component requests its counters once, at its start, with the values of all labels; the same values
 * give the same counter on every event loop. Thread-safe.
 */
public final class MeterSet implements MultiCollector {
    private final Map<ServerMeter, Map<List<String>, Object>> series = new EnumMap<>(ServerMeter.class);
    private final EventLoopSums sums;

    public MeterSet() {
        this(true);
    }

    /** @param isCounting true if anything is counted; gauges are exported either way */
    public MeterSet(boolean isCounting) {
        this.sums = new EventLoopSums(isCounting);
        for (var meter : ServerMeter.values()) {
            series.put(meter, new ConcurrentHashMap<>());
        }
    }

    public EventCounter counter(ServerMeter meter, String... labels) {
        return (EventCounter) of(meter, ServerMeter.Kind.COUNTER, () -> new EventCounter(sums), labels);
    }

    public FixedHistogram durations(ServerMeter meter, String... labels) {
        return (FixedHistogram) of(meter, ServerMeter.Kind.SECONDS, () -> FixedHistogram.ofDurations(sums), labels);
    }

    public FixedHistogram counts(ServerMeter meter, String... labels) {
        return (FixedHistogram) of(meter, ServerMeter.Kind.COUNT, () -> FixedHistogram.ofCounts(sums), labels);
    }

    /** Gauge whose value is computed at each read, on any thread. */
    public void gauge(ServerMeter meter, DoubleSupplier value, String... labels) {
        of(meter, ServerMeter.Kind.GAUGE, () -> value, labels);
    }

    private Object of(ServerMeter meter, ServerMeter.Kind kind, Supplier<?> fresh, String... labels) {
        if (meter.kind() != kind || labels.length != meter.labels().size()) {
            throw new IllegalArgumentException("expected " + kind + " " + meter + " with labels " + meter.labels()
                    + ", found " + meter.kind() + " with " + labels.length + " labels");
        }
        return series.get(meter).computeIfAbsent(List.of(labels), _ -> fresh.get());
    }

    @Override
    public MetricSnapshots collect() {
        var all = new ArrayList<MetricSnapshot>();
        series.forEach((meter, points) -> {
            if (!points.isEmpty()) {
                all.add(snapshot(meter, points));
            }
        });
        return new MetricSnapshots(all);
    }

    private static MetricSnapshot snapshot(ServerMeter meter, Map<List<String>, Object> points) {
        return switch (meter.kind()) {
            case GAUGE -> {
                var gauge = GaugeSnapshot.builder().name(meter.publicName()).help(meter.meaning());
                points.forEach((labels, value) -> gauge.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(labels(meter, labels))
                        .value(((DoubleSupplier) value).getAsDouble())
                        .build()));
                yield gauge.build();
            }
            case COUNTER -> {
                var counter = CounterSnapshot.builder().name(meter.publicName()).help(meter.meaning());
                points.forEach((labels, value) -> counter.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(labels(meter, labels))
                        .value((double) ((EventCounter) value).value())
                        .build()));
                yield counter.build();
            }
            case SECONDS, COUNT -> {
                var histogram =
                        HistogramSnapshot.builder().name(meter.publicName()).help(meter.meaning());
                points.forEach((labels, value) -> histogram.dataPoint(HistogramDataPointSnapshot.builder()
                        .labels(labels(meter, labels))
                        .classicHistogramBuckets(((FixedHistogram) value).buckets())
                        .sum(((FixedHistogram) value).sum())
                        .exemplars(((FixedHistogram) value).examples())
                        .build()));
                yield histogram.build();
            }
        };
    }

    private static Labels labels(ServerMeter meter, List<String> values) {
        return Labels.of(meter.labels().toArray(String[]::new), values.toArray(String[]::new));
    }
}
