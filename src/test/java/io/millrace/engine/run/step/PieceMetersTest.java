package io.millrace.engine.run.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.metrics.MeterSet;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class PieceMetersTest {
    private final MeterSet set = new MeterSet();
    private final PieceMeters meters = new PieceMeters(set);

    @Test
    void countsEachPieceForItself_andAllThatComeAfterTheFiftiethTogether() {
        // When
        IntStream.range(0, 60).forEach(number -> meters.ended("piece-" + number, 1_000_000));
        meters.ended("piece-0", 1_000_000);
        meters.ended("piece-59", 1_000_000);

        // Then
        assertThat(counts())
                .hasSize(51)
                .containsEntry("piece-0", 2L)
                .containsEntry("piece-49", 1L)
                .containsEntry("other", 11L);
    }

    private Map<String, Long> counts() {
        var snapshot = (HistogramSnapshot) set.collect().stream().findFirst().orElseThrow();
        return snapshot.getDataPoints().stream()
                .collect(Collectors.toMap(point -> point.getLabels().get("piece"), point -> point.getCount()));
    }
}
