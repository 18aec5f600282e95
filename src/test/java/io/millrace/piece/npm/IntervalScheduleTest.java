package io.millrace.piece.npm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class IntervalScheduleTest {
    private static String cron(Duration interval) {
        return IntervalSchedule.of(interval.toMillis()).expression();
    }

    @Test
    void pollsEvenly_andAtLeastAsOftenAsAsked() {
        assertThat(cron(Duration.ofMinutes(5))).isEqualTo("*/5 * * * *");
        assertThat(cron(Duration.ofMinutes(7))).isEqualTo("*/6 * * * *");
        assertThat(cron(Duration.ofMinutes(45))).isEqualTo("*/30 * * * *");
        assertThat(cron(Duration.ofMinutes(60))).isEqualTo("0 */1 * * *");
        assertThat(cron(Duration.ofMinutes(90))).isEqualTo("0 */1 * * *");
        assertThat(cron(Duration.ofHours(5))).isEqualTo("0 */4 * * *");
        assertThat(cron(Duration.ofHours(24))).isEqualTo("0 0 * * *");
    }

    @Test
    void staysBetweenAMinuteAndADay() {
        assertThat(cron(Duration.ofSeconds(1))).isEqualTo("*/1 * * * *");
        assertThat(cron(Duration.ofSeconds(-1))).isEqualTo("*/1 * * * *");
        assertThat(IntervalSchedule.of(Long.MAX_VALUE).expression()).isEqualTo("0 0 * * *");
        assertThat(IntervalSchedule.of(Long.MIN_VALUE).expression()).isEqualTo("*/1 * * * *");
    }
}
