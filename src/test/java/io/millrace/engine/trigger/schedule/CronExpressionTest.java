package io.millrace.engine.trigger.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.support.Seeds;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times at which cron expressions fire, over clock changes in several zones. */
final class CronExpressionTest {
    private static final List<String> ZONES = List.of(
            "UTC",
            "Europe/Berlin",
            "America/New_York",
            "America/Sao_Paulo",
            "Australia/Lord_Howe",
            "Asia/Kathmandu",
            "Africa/Cairo",
            "Pacific/Apia",
            "America/St_Johns");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            */5 * * * *      | UTC           | 2026-01-01T00:00:00Z | 2026-01-01T00:05:00Z
            0/5 * * * *      | UTC           | 2026-01-01T00:04:59Z | 2026-01-01T00:05:00Z
            59 23 31 12 *    | UTC           | 2026-01-01T00:00:00Z | 2026-12-31T23:59:00Z
            0 8 * * MON-FRI  | Europe/Berlin | 2026-01-02T07:00:00Z | 2026-01-05T07:00:00Z
            0 0 29 2 *       | UTC           | 2026-01-01T00:00:00Z | 2028-02-29T00:00:00Z
            0 0 29 2 *       | UTC           | 2096-03-01T00:00:00Z | 2104-02-29T00:00:00Z
            0 0 1,15 * fri   | UTC           | 2026-01-01T00:00:00Z | 2026-01-02T00:00:00Z
            0 0 ? * 7        | UTC           | 2026-01-01T00:00:00Z | 2026-01-04T00:00:00Z
            0 12 L * *       | UTC           | 2026-02-01T00:00:00Z | 2026-02-28T12:00:00Z
            0 12 * * 5L      | UTC           | 2026-01-01T00:00:00Z | 2026-01-30T12:00:00Z
            0 12 * * 1#2     | UTC           | 2026-01-01T00:00:00Z | 2026-01-12T12:00:00Z
            10-40/15 3 * * * | UTC           | 2026-01-01T03:10:00Z | 2026-01-01T03:25:00Z
            0 12 */2 * 1     | UTC           | 2026-01-01T00:00:00Z | 2026-01-05T12:00:00Z
            """)
    void firesAtTheFirstMatchingTime(String cron, String zone, Instant after, Instant expected) {
        assertThat(CronExpression.parse(cron).next(after, ZoneId.of(zone))).contains(expected);
    }

    /** Berlin skips 02:00 to 03:00 on 2026-03-29, and has it twice on 2026-10-25. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30 2 * * *   | 2026-03-28T01:30:00Z | 2026-03-29T01:00:00Z
            30 2 * * *   | 2026-03-29T01:00:00Z | 2026-03-30T00:30:00Z
            */20 2 * * * | 2026-03-29T00:00:00Z | 2026-03-29T01:00:00Z
            */20 2 * * * | 2026-03-29T01:00:00Z | 2026-03-30T00:00:00Z
            0 2,3 * * *  | 2026-03-29T00:00:00Z | 2026-03-29T01:00:00Z
            0 2,3 * * *  | 2026-03-29T01:00:00Z | 2026-03-30T00:00:00Z
            30 2 * * *   | 2026-10-24T22:00:00Z | 2026-10-25T00:30:00Z
            30 2 * * *   | 2026-10-25T00:30:00Z | 2026-10-26T01:30:00Z
            0 * * * *    | 2026-10-25T00:00:00Z | 2026-10-25T01:00:00Z
            0 * * * *    | 2026-03-29T00:00:00Z | 2026-03-29T01:00:00Z
            """)
    void firesOnce_whenItsHourIsSkippedOrRepeated(String cron, Instant after, Instant expected) {
        assertThat(CronExpression.parse(cron).next(after, ZoneId.of("Europe/Berlin")))
                .contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "* * * *",
                "* * * * * *",
                "60 * * * *",
                "* 24 * * *",
                "* * 0 * *",
                "* * 32 * *",
                "* * * 13 *",
                "* * * * 8",
                "*/0 * * * *",
                "*/99 * * * *",
                "5-1 * * * *",
                "1,,2 * * * *",
                "a * * * *",
                "1- * * * *",
                "-1 * * * *",
                "* * * * 1#6",
                "* * * FOO *",
                "0 0 30 2 *",
                "0 0 31 4,6,9,11 ?",
                "99999999999 * * * *",
                "@daily"
            })
    void refusesWhatIsNoExpression(String cron) {
        assertThatThrownBy(() -> CronExpression.parse(cron))
                .isInstanceOf(InvalidCronExpressionException.class)
                .hasMessageStartingWith("InvalidCronExpressionError: expected ");
    }

    @Test
    void refusesAZoneThatDoesNotExist() {
        assertThatThrownBy(() -> CronExpression.zone("Europe/Atlantis"))
                .isInstanceOf(InvalidCronExpressionException.class);
    }

    /** Compares each minute of about a month around a clock change individually. */
    @Test
    void agreesWithLookingAtEveryMinute() {
        Seeds.each(60, random -> {
            var zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
            var cron = CronExpression.parse(expression(random));
            var from = aroundAChange(random, zone);
            var until = from.plus(Duration.ofDays(3));

            assertThat(firings(cron, zone, from, until))
                    .as("%s from %s", zone, from)
                    .isEqualTo(everyMinute(cron, zone, from, until));
        });
    }

    private static List<Instant> firings(CronExpression cron, ZoneId zone, Instant from, Instant until) {
        var firings = new ArrayList<Instant>();
        for (var at = cron.next(from, zone).orElse(until);
                at.isBefore(until);
                at = cron.next(at, zone).orElse(until)) {
            firings.add(at);
        }
        return firings;
    }

    private static List<Instant> everyMinute(CronExpression cron, ZoneId zone, Instant from, Instant until) {
        var firings = new ArrayList<Instant>();
        for (var at = from.plus(1, ChronoUnit.MINUTES); at.isBefore(until); at = at.plus(1, ChronoUnit.MINUTES)) {
            if (cron.isOfEveryHour() ? cron.matches(at.atZone(zone).toLocalDateTime()) : isDue(cron, zone, at)) {
                firings.add(at);
            }
        }
        return firings;
    }

    private static boolean isDue(CronExpression cron, ZoneId zone, Instant at) {
        var rules = zone.getRules();
        var local = at.atZone(zone).toLocalDateTime();
        var isFirst = rules.getOffset(at).equals(rules.getValidOffsets(local).getFirst());
        if (isFirst && cron.matches(local)) {
            return true;
        }
        var before = rules.getOffset(at.minusSeconds(60));
        var shown = LocalDateTime.ofInstant(at, before);
        while (shown.isBefore(local)) {
            if (cron.matches(shown)) {
                return true;
            }
            shown = shown.plusMinutes(1);
        }
        return false;
    }

    private static Instant aroundAChange(Random random, ZoneId zone) {
        var any = Instant.parse("2009-01-01T00:00:00Z").plus(Duration.ofMinutes(random.nextInt(9 * 525_600)));
        var change = zone.getRules().nextTransition(any);
        return (change == null ? any : change.getInstant()).minus(Duration.ofMinutes(random.nextInt(2 * 1440)));
    }

    private static String expression(Random random) {
        var minute = pick(random, "*", "*/7", "0", "30", "5,45", "10-20/5", "59");
        var hour = pick(random, "*", "0", "2", "1,3", "*/2", "0-4", "23", "2-3", "*/1");
        var dayOfMonth = pick(random, "*", "*", "*", "L", "*/2", "1-15");
        var dayOfWeek = pick(random, "*", "*", "?", "1-5", "SUN", "0L", "7");
        return minute + " " + hour + " " + dayOfMonth + " * " + dayOfWeek;
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
