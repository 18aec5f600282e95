package io.millrace.integration.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.account.audit.EventAction;
import io.millrace.base.core.Ids;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SampleEventTest {
    private static final Instant NOW = Instant.parse("2026-03-09T12:00:00Z");

    @ParameterizedTest
    @EnumSource(EventAction.class)
    void everyActionHasASample(EventAction action) {
        var sample = SampleEvent.of(action, Ids.next(), NOW);

        assertThat(sample.path("action").asText()).isEqualTo(action.text());
        assertThat(sample.path("id").asText()).matches(Ids.PATTERN);
        assertThat(sample.path("created").asText()).isEqualTo("2026-03-09T12:00:00.000Z");
        assertThat(sample.path("data").isEmpty()).isFalse();
    }

    @Test
    void aFinishedRunHasFailedAfterAWhile() {
        var run = SampleEvent.of(EventAction.FLOW_RUN_FINISHED, Ids.next(), NOW).at("/data/flowRun");

        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.path("duration").asInt()).isEqualTo(1234);
    }

    @Test
    void signsWhatIsSentAndWhen() {
        var signature = Signature.of("key", NOW, Buffer.buffer("{}"));

        assertThat(signature).matches("t=1773057600,v1=[0-9a-f]{64}");
        assertThat(Signature.of("key", NOW.plusSeconds(1), Buffer.buffer("{}"))).isNotEqualTo(signature);
        assertThat(Signature.of("other", NOW, Buffer.buffer("{}"))).isNotEqualTo(signature);
        assertThat(Signature.of("key", NOW, Buffer.buffer("{ }"))).isNotEqualTo(signature);
    }

    @Test
    void waitsLongerEachTime_butNeverLongerThanSixHours() {
        assertThat(IntStream.rangeClosed(1, 8).mapToObj(EventDeliveryWorker::waitAfter))
                .startsWith(Duration.ofSeconds(10), Duration.ofSeconds(40), Duration.ofSeconds(160))
                .isSorted()
                .endsWith(Duration.ofHours(6));
    }
}
