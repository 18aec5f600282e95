package io.millrace.base.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The metrics page follows the rules whose violation makes a scraper reject the whole page (OpenMetrics 1.0, sections 4
 * and 5).
 */
final class ServerRegistryTest {
    private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";

    private static final Pattern SAMPLE = Pattern.compile(
            "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{[^{}]*\\})? (NaN|[+-]Inf|[-+0-9.eE]+)( # \\{[^{}]*\\} [-+0-9.eE]+( [0-9.]+)?)?");

    private final MeterSet meters = new MeterSet();
    private final ServerRegistry registry = new ServerRegistry(meters);

    private List<String> page(String type) {
        meters.counter(ServerMeter.COMMIT_FAILURES).increment();
        meters.durations(ServerMeter.EVENT_LOOP_LAG)
                .record(400_000, "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331");
        Timer.builder("library.calls")
                .publishPercentileHistogram()
                .register(registry)
                .record(Duration.ofMillis(3));
        DistributionSummary.builder("library.sizes").register(registry).record(7);
        registry.gauge("library.level", 3);
        return registry.scrape(type).lines().toList();
    }

    @Test
    void hasExemplarsAtBucketsAndCountersOnly() {
        var withExemplar = page(OPEN_METRICS).stream()
                .filter(line -> line.contains(" # {"))
                .toList();

        assertThat(withExemplar).isNotEmpty().allMatch(line -> line.matches("\\w+_(bucket|total)(\\{.*|) .*"));
    }

    @Test
    void isAPageOfOpenMetrics() {
        var lines = page(OPEN_METRICS);

        assertThat(lines.getLast()).isEqualTo("# EOF");
        assertThat(samples(lines))
                .hasSizeGreaterThan(20)
                .allMatch(line -> SAMPLE.matcher(line).matches());
        assertThat(names(lines)).doesNotHaveDuplicates();
    }

    @Test
    void isAPageOfPrometheus() {
        var lines = page(TEXT);

        assertThat(samples(lines))
                .hasSizeGreaterThan(20)
                .allMatch(line -> SAMPLE.matcher(line).matches())
                .noneMatch(line -> line.contains(" # "));
        assertThat(names(lines)).doesNotHaveDuplicates();
    }

    private static List<String> samples(List<String> lines) {
        return lines.stream().filter(line -> !line.startsWith("#")).toList();
    }

    /** Names and labels of samples. The samples of a family must be contiguous, without duplicates. */
    private static List<String> names(List<String> lines) {
        var families = lines.stream().filter(line -> line.startsWith("# TYPE ")).toList();
        assertThat(new HashSet<>(families)).hasSameSizeAs(families);
        return samples(lines).stream()
                .map(line -> line.substring(0, line.contains("}") ? line.indexOf('}') : line.indexOf(' ')))
                .toList();
    }
}
