package io.millrace.engine.trigger.schedule;

import io.millrace.piece.CronSchedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/**
 * The times of one schedule. Pure: the current time is a parameter.
 *
 * @param delay delay of every time, so that the polls of many flows do not fire in the same second
 */
public record DueTimes(CronExpression cron, ZoneId zone, Duration delay) {
    /** Delay from which a time counts as missed; less is usual on a busy server. */
    private static final Duration TOLERANCE = Duration.ofMinutes(1);

    private static final int DELAY_SECONDS_MAX = 30;

    /**
     * Plan for a due source.
     *
     * @param fires times that fire now; may be none
     * @param next when the source is due again; null for never
     */
    public record Plan(List<Instant> fires, Instant next) {}

    public static DueTimes exactly(CronSchedule schedule) {
        return new DueTimes(
                CronExpression.parse(schedule.expression()), CronExpression.zone(schedule.timezone()), Duration.ZERO);
    }

    public static DueTimes about(CronSchedule schedule, String flowId) {
        var delay = Duration.ofSeconds(Math.floorMod(flowId.hashCode(), DELAY_SECONDS_MAX));
        return new DueTimes(
                CronExpression.parse(schedule.expression()), CronExpression.zone(schedule.timezone()), delay);
    }

    /** Returns true if the time is later than any flow's next time of the schedule can be. */
    public static boolean isBeyondNext(Instant due, CronSchedule schedule, Instant now) {
        var next = exactly(schedule).next(now);
        return next != null && due.isAfter(next.plusSeconds(DELAY_SECONDS_MAX));
    }

    public boolean isOfEveryHour() {
        return cron.isOfEveryHour();
    }

    /** The first time after an instant; null when there is none. */
    public Instant next(Instant after) {
        return cron.next(after.minus(delay), zone).map(at -> at.plus(delay)).orElse(null);
    }

    /**
     * Plans the fires of a due source.
     *
     * @param firesMax most times that fire together, under the policy that fires each missed time
     */
    public Plan plan(Instant due, Instant now, Misfire misfire, int firesMax) {
        var fires = switch (misfire) {
            case SKIP -> due.isBefore(now.minus(TOLERANCE)) ? List.<Instant>of() : List.of(due);
            case ONCE -> List.of(due);
            case ALL -> missed(due, now, firesMax);
        };
        return new Plan(fires, next(now));
    }

    private List<Instant> missed(Instant due, Instant now, int firesMax) {
        var fires = new ArrayList<Instant>();
        for (var at = due; at != null && !at.isAfter(now) && fires.size() < firesMax; at = next(at)) {
            fires.add(at);
        }
        return fires;
    }
}
