package io.millrace.base.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.trace.Sampler;
import io.millrace.base.trace.Span;
import io.millrace.base.trace.Tracer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.Collector;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Delivery to a collector: retry, flush on close, and drops when the collector is unavailable. */
final class OtlpExporterTest {
    private static OtlpSettings settings(String url) {
        return new OtlpSettings(
                URI.create(url + "/v1/traces"),
                URI.create(url + "/v1/logs"),
                Map.of("x-key", "k3y9"),
                Duration.ofSeconds(10),
                Map.of("service.name", "mill"));
    }

    private static Span span(String subject, String error) {
        var context = Tracer.to(new Sampler(true, 1), _ -> {}).begin(subject, Optional.empty());
        return new Span(
                context,
                "",
                "run",
                Span.Kind.SERVER,
                Instant.ofEpochSecond(1, 5),
                Instant.ofEpochSecond(2),
                Map.of("flow.id", "f", "steps", 3, "waits", false),
                error);
    }

    @Test
    void repeatsWhatABusyCollectorDidNotTake() {
        try (var collector = Collector.start();
                var exporter = OtlpExporter.start(settings(collector.url()))) {
            // given
            collector.busy(1);

            // when
            exporter.take(span("run:1", "FAILED"));

            // then
            Waiting.until("a span", () -> !collector.spans().isEmpty());
            var sent = collector.spans().getFirst();
            assertThat(sent.path("startTimeUnixNano").asText()).isEqualTo("1000000005");
            assertThat(sent.at("/status/code").asInt()).isEqualTo(2);
            assertThat(Collector.attribute(sent, "steps")).isEqualTo("3");
            assertThat(Collector.attribute(collector.resources().getFirst(), "service.name"))
                    .isEqualTo("mill");
            assertThat(collector.keys()).containsOnly("k3y9");
            assertThat(collector.refusals()).isEmpty();
        }
    }

    @Test
    void sendsWhatStillWaitsAtTheEnd() {
        try (var collector = Collector.start()) {
            var exporter = OtlpExporter.start(settings(collector.url()));
            exporter.take(span("run:1", ""));

            exporter.close();

            assertThat(collector.spans()).hasSize(1);
        }
    }

    @Test
    void neverBlocks_andDropsSpansWithoutACollector() {
        // given no server on the port
        try (var exporter = OtlpExporter.start(settings("http://127.0.0.1:1"))) {
            // when, then the caller is not blocked by any number of spans
            var span = span("run:1", "");
            for (var number = 0; number < 3 * OtlpExporter.WAITING_MAX; number++) {
                exporter.take(span);
            }
        }
    }
}
