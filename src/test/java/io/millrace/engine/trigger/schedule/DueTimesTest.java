package io.millrace.engine.trigger.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.piece.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Misfire policies of schedules, and due times of polls. */
final class DueTimesTest {
    private static final Instant DUE = Instant.parse("2026-01-01T00:10:00Z");
    private static final DueTimes EVERY_TEN_MINUTES = DueTimes.exactly(new CronSchedule("*/10 * * * *", "UTC"));

    @Test
    void firesDueTimes_andContinuesWithTheNextOne() {
        for (var policy : Misfire.values()) {
            assertThat(EVERY_TEN_MINUTES.plan(DUE, DUE.plusSeconds(1), policy, 100))
                    .isEqualTo(new DueTimes.Plan(List.of(DUE), DUE.plusSeconds(600)));
        }
    }

    @Test
    void firesNothing_whenMissedTimesAreSkipped() {
        var now = DUE.plus(Duration.ofMinutes(35));

        assertThat(EVERY_TEN_MINUTES.plan(DUE, now, Misfire.SKIP, 100))
                .isEqualTo(new DueTimes.Plan(List.of(), DUE.plus(Duration.ofMinutes(40))));
    }

    @Test
    void firesOnce_whenManyTimesWereMissed() {
        var now = DUE.plus(Duration.ofMinutes(35));

        assertThat(EVERY_TEN_MINUTES.plan(DUE, now, Misfire.ONCE, 100))
                .isEqualTo(new DueTimes.Plan(List.of(DUE), DUE.plus(Duration.ofMinutes(40))));
    }

    @Test
    void firesEachMissedTime_upToTheLimit() {
        var now = DUE.plus(Duration.ofMinutes(35));

        assertThat(EVERY_TEN_MINUTES.plan(DUE, now, Misfire.ALL, 100).fires())
                .containsExactly(DUE, DUE.plusSeconds(600), DUE.plusSeconds(1200), DUE.plusSeconds(1800));
        assertThat(EVERY_TEN_MINUTES.plan(DUE, now, Misfire.ALL, 2))
                .isEqualTo(new DueTimes.Plan(List.of(DUE, DUE.plusSeconds(600)), DUE.plus(Duration.ofMinutes(40))));
    }

    @Test
    void knowsATimeThatAClockAheadHasFound() {
        var schedule = new CronSchedule("*/10 * * * *", "UTC");

        assertThat(DueTimes.isBeyondNext(DUE, schedule, DUE.minusSeconds(1))).isFalse();
        assertThat(DueTimes.isBeyondNext(DUE.plusSeconds(29), schedule, DUE.minusSeconds(600)))
                .isFalse();
        assertThat(DueTimes.isBeyondNext(DUE.plusSeconds(600), schedule, DUE.minusSeconds(1)))
                .isTrue();
    }

    @Test
    void spreadsThePollsOfManyFlows_andKeepsTheIntervalOfEach() {
        var schedule = new CronSchedule("*/5 * * * *", "UTC");
        var one = DueTimes.about(schedule, "a");
        var other = DueTimes.about(schedule, "b");

        assertThat(one.next(DUE)).isNotEqualTo(other.next(DUE));
        assertThat(one.next(one.next(DUE))).isEqualTo(one.next(DUE).plus(Duration.ofMinutes(5)));
        assertThat(Duration.between(DUE.plus(Duration.ofMinutes(5)), one.next(DUE)))
                .isLessThan(Duration.ofSeconds(30));
    }
}
