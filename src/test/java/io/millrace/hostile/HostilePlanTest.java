package io.millrace.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What may be asked for, and what is refused because the load would have no bound. */
final class HostilePlanTest {
    @Test
    void readsMemoryAndMinutes() {
        assertThat(HostilePlan.parse(List.of())).isEqualTo(new HostilePlan(1L << 30, Duration.ofMinutes(10)));
        assertThat(HostilePlan.parse(List.of("--memory", "2g", "--minutes", "0.5")))
                .isEqualTo(new HostilePlan(2L << 30, Duration.ofSeconds(30)));
        assertThat(HostilePlan.parse(List.of("--memory", "768M")).memoryBytes()).isEqualTo(768L << 20);
    }

    @Test
    void refusesWhatHasNoBound_orNoMeaning() {
        for (var words : List.of(
                List.of("--memory"),
                List.of("--memory", "1"),
                List.of("--memory", "100m"),
                List.of("--minutes", "0"),
                List.of("--minutes", "61"),
                List.of("--minutes", "NaN"),
                List.of("--seconds", "5"))) {
            assertThatIllegalArgumentException().as(words.toString()).isThrownBy(() -> HostilePlan.parse(words));
        }
    }
}
