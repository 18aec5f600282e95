package io.millrace.base.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.metrics.MeterSet;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class RequestMetersTest {
    private final MeterSet set = new MeterSet();
    private final RequestMeters meters = new RequestMeters(set);

    @Test
    void countsEachStatusSeparately_inAnyOrder() {
        // When
        IntStream.of(404, 404, 200, 404, 200, 503).forEach(status -> meters.count(null, status));

        // Then
        assertThat(counts()).isEqualTo(Map.of("404", 3.0, "200", 2.0, "503", 1.0));
    }

    private Map<String, Double> counts() {
        var snapshot = (CounterSnapshot) set.collect().stream().findFirst().orElseThrow();
        return snapshot.getDataPoints().stream()
                .collect(Collectors.toMap(point -> point.getLabels().get("code"), point -> point.getValue()));
    }
}
