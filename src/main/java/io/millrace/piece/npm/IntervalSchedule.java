package io.millrace.piece.npm;

import io.millrace.piece.CronSchedule;
import java.time.Duration;
import java.util.List;

/**
 * Polling schedule of a piece that declares an interval instead of times. Polls evenly and at least as often as
 * declared: hours and days are divided into equal parts. The interval is between a minute and a day.
 */
final class IntervalSchedule {
    private static final List<Integer> OF_AN_HOUR = List.of(30, 20, 15, 12, 10, 6, 5, 4, 3, 2, 1);
    private static final List<Integer> OF_A_DAY = List.of(12, 8, 6, 4, 3, 2, 1);
    private static final String UTC = "UTC";

    private IntervalSchedule() {}

    static CronSchedule of(long intervalMs) {
        var interval =
                Duration.ofMillis(Math.max(intervalMs, Duration.ofMinutes(1).toMillis()));
        if (interval.toHours() == 0) {
            return new CronSchedule("*/" + largest(OF_AN_HOUR, interval.toMinutes()) + " * * * *", UTC);
        }
        return interval.toDays() == 0
                ? new CronSchedule("0 */" + largest(OF_A_DAY, interval.toHours()) + " * * *", UTC)
                : new CronSchedule("0 0 * * *", UTC);
    }

    private static int largest(List<Integer> parts, long most) {
        return parts.stream().filter(part -> part <= most).findFirst().orElseThrow();
    }
}
