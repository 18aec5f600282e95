package io.millrace.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Options of scripts/hostile on both sides of their bounds. */
final class HostilePlanTest {
    @Test
    void readsMemoryAndMinutes() {
        assertThat(HostilePlan.parse(List.of())).isEqualTo(HostilePlan.defaults());
        var plan = HostilePlan.parse(List.of("--memory", "2g", "--minutes", "0.5"));
        assertThat(plan.memoryBytes()).isEqualTo(2L << 30);
        assertThat(plan.length()).isEqualTo(Duration.ofSeconds(30));
        assertThat(HostilePlan.parse(List.of("--memory", "768M")).memoryBytes()).isEqualTo(768L << 20);
    }

    @Test
    void selectsKindsByWords() {
        var plan = HostilePlan.parse(List.of("--kinds", "Git, saml"));
        assertThat(plan.isWanted("git server")).isTrue();
        assertThat(plan.isWanted("SAML over the wire")).isTrue();
        assertThat(plan.isWanted("name server")).isFalse();
        assertThat(HostilePlan.defaults().isWanted("name server")).isTrue();
    }

    @Test
    void givesTheLoadAShareOfTheTime_andAllOfItWhenItIsAlone() {
        assertThat(HostilePlan.defaults().loadLength()).isEqualTo(Duration.ofMinutes(10));
        assertThat(HostilePlan.defaults().corpusLength()).isEqualTo(Duration.ofMinutes(30));
        var alone = HostilePlan.parse(List.of("--kinds", "load", "--minutes", "0.5"));
        assertThat(alone.loadLength()).isEqualTo(Duration.ofSeconds(30));
        var without = HostilePlan.parse(List.of("--kinds", "git", "--minutes", "5"));
        assertThat(without.loadLength()).isZero();
        assertThat(without.corpusLength()).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void refusesOptionsWithoutBoundOrMeaning() {
        for (var words : List.of(
                List.of("--memory"),
                List.of("--memory", "1"),
                List.of("--memory", "100m"),
                List.of("--minutes", "0"),
                List.of("--minutes", "121"),
                List.of("--minutes", "NaN"),
                List.of("--kinds", " , "),
                List.of("--seconds", "5"))) {
            assertThatIllegalArgumentException().as(words.toString()).isThrownBy(() -> HostilePlan.parse(words));
        }
    }
}
