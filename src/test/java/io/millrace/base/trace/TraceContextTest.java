package io.millrace.base.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parsing and propagation of the trace context header. */
final class TraceContextTest {
    private static final String HEADER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    @Test
    void readsAndWritesTheHeader() {
        var context = TraceContext.parse(HEADER).orElseThrow();

        assertThat(context).isEqualTo(new TraceContext("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", true));
        assertThat(context.traceparent()).isEqualTo(HEADER);
        assertThat(TraceContext.parse(HEADER.replace("-01", "-00"))
                        .orElseThrow()
                        .isSampled())
                .isFalse();
    }

    @Test
    void readsWhatALaterVersionAppends() {
        assertThat(TraceContext.parse("cc" + HEADER.substring(2) + "-what-comes-later"))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "00",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x"
            })
    void whatIsNoHeaderIsNone(String text) {
        assertThat(TraceContext.parse(text)).isEmpty();
    }

    @Test
    void theSameSubjectHasTheSameIds_andAnotherHasOthers() {
        var first = TraceContext.rootOf("run:1", true);

        assertThat(TraceContext.rootOf("run:1", true)).isEqualTo(first);
        assertThat(TraceContext.rootOf("run:2", true).traceId()).isNotEqualTo(first.traceId());
        assertThat(first.childOf("step:1")).isEqualTo(first.childOf("step:1"));
        assertThat(first.childOf("step:1").traceId()).isEqualTo(first.traceId());
        assertThat(first.childOf("step:1").spanId()).isNotEqualTo(first.spanId());
    }

    @Test
    void callerDecides_andTheShareWhereThereIsNone() {
        // Given
        var spans = new ArrayList<Span>();
        var parent = TraceContext.parse(HEADER);
        var never = Tracer.to(new Sampler(true, 0), spans::add);
        var alone = Tracer.to(new Sampler(false, 0), spans::add);
        var half = Tracer.to(new Sampler(true, 0.5), spans::add);

        // When
        var sampled = 0;
        for (var number = 0; number < 2_000; number++) {
            sampled += half.begin("run:" + number, Optional.empty()).isSampled() ? 1 : 0;
        }

        // Then
        assertThat(never.begin("run:1", parent).isSampled()).isTrue();
        assertThat(never.begin("run:1", parent).traceId())
                .isEqualTo(parent.orElseThrow().traceId());
        assertThat(never.begin("run:1", Optional.empty()).isSampled()).isFalse();
        assertThat(alone.begin("run:1", parent).isSampled()).isFalse();
        assertThat(sampled).isBetween(800, 1_200);
    }

    @Test
    void takesSpansOfRecordedTracesOnly() {
        // Given
        var spans = new ArrayList<Span>();
        var tracer = Tracer.to(new Sampler(true, 1), spans::add);
        var unsampled = tracer.begin("run:1", TraceContext.parse(HEADER.replace("-01", "-00")));
        var span = new Span(unsampled, "", "run", Span.Kind.INTERNAL, Instant.EPOCH, Instant.EPOCH, Map.of(), "");

        // When
        tracer.record(span);
        Tracer.OFF.record(span);

        // Then
        assertThat(spans).isEqualTo(List.of());
    }
}
