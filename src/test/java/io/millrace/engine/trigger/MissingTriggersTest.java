package io.millrace.engine.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MovableClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MissingTriggersTest {
    private final MovableClock clock = new MovableClock();
    private final MissingTriggers missing = new MissingTriggers(clock);

    @Test
    void staysWithAFlow_whoseTriggerWasMissedOnce_howeverLongAgo() {
        assertThat(missing.isGone("v1")).isFalse();
        clock.advance(Duration.ofHours(20));
        assertThat(missing.isGone("v1")).isFalse();
    }

    @Test
    void staysWithAFlow_whoseTriggerWasMissedOften_withinAnHour() {
        for (var look = 0; look < 100; look++) {
            assertThat(missing.isGone("v1")).isFalse();
            clock.advance(Duration.ofSeconds(35));
        }
    }

    @Test
    void givesAFlowUp_afterAnHourAndThreeLooks() {
        assertThat(missing.isGone("v1")).isFalse();
        clock.advance(Duration.ofMinutes(59));
        assertThat(missing.isGone("v1")).isFalse();
        clock.advance(Duration.ofMinutes(1));
        assertThat(missing.isGone("v2")).isFalse();
        assertThat(missing.isGone("v1")).isTrue();
    }

    @Test
    void countsAnew_afterTheTriggerWasFound() {
        missing.isGone("v1");
        missing.isGone("v1");
        clock.advance(Duration.ofHours(2));
        missing.found("v1");

        assertThat(missing.isGone("v1")).isFalse();
    }

    @Test
    void looksAgain_atTheNextTimeOfTheSource_butNotAtOnce() {
        var now = clock.instant();

        assertThat(missing.nextLook(null)).isEqualTo(now.plus(MissingTriggers.LOOK_EVERY));
        assertThat(missing.nextLook(now.plusSeconds(1))).isEqualTo(now.plus(MissingTriggers.LOOK_EVERY));
        assertThat(missing.nextLook(now.plus(Duration.ofDays(1)))).isEqualTo(now.plus(Duration.ofDays(1)));
    }
}
