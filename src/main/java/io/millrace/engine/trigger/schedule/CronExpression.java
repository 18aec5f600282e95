package io.millrace.engine.trigger.schedule;

import io.millrace.base.core.ZoneNames;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.BitSet;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A cron expression of five fields: minute, hour, day of the month, month, day of the week (contract flows-and-engine 18.3).
 * Fields take numbers, names, lists, ranges and steps; {@code ?} is {@code *}; days also take {@code L}, {@code 5L} and
 * {@code 5#2}. Pure.
 *
 * <p>Daylight saving: an expression that names hours fires once for each local time of a day, also if that time is skipped
 * (then directly after the gap) or occurs twice (then the first time). An expression that runs in every hour follows elapsed
 * time: it neither pauses in a repeated hour nor catches up after a skipped one.
 */
final class CronExpression {
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final int LENGTH_MAX = 200;

    /** The 29th of February is at most 8 years away. */
    private static final int DAYS_SEARCHED_MAX = 9 * 366;

    private final BitSet minutes = new BitSet(60);
    private final BitSet hours = new BitSet(24);
    private final CronDays days;

    private CronExpression(String[] fields) {
        for (var part : fields[0].split(",", -1)) {
            minutes.or(CronField.MINUTE.read(part));
        }
        for (var part : fields[1].split(",", -1)) {
            hours.or(CronField.HOUR.read(part));
        }
        days = new CronDays(fields[2], fields[3], fields[4]);
    }

    /** Refuses an expression that never fires. */
    static CronExpression parse(String text) {
        var fields = SPACE.split(text.strip());
        if (fields.length != 5 || text.length() > LENGTH_MAX) {
            throw new InvalidCronExpressionException(
                    "expected five fields (minute, hour, day of the month, month, day of the week), found "
                            + (text.isBlank() ? "none" : fields.length));
        }
        var cron = new CronExpression(fields);
        if (cron.next(Instant.EPOCH, ZoneId.of("UTC")).isEmpty()) {
            throw new InvalidCronExpressionException("expected a day that exists, found \"" + text.strip() + "\"");
        }
        return cron;
    }

    /** A time zone by its IANA name, an offset or a common abbreviation. */
    static ZoneId zone(String name) {
        try {
            return ZoneNames.of(name);
        } catch (DateTimeException unknown) {
            throw new InvalidCronExpressionException("expected the name of a time zone, found \"" + name + "\"");
        }
    }

    /** The first time after an instant; empty when there is none within nine years. */
    Optional<Instant> next(Instant after, ZoneId zone) {
        return isOfEveryHour() ? nextOfEveryHour(after, zone) : nextOfNamedHours(after, zone);
    }

    boolean matches(LocalDateTime local) {
        return minutes.get(local.getMinute()) && hours.get(local.getHour()) && days.contains(local.toLocalDate());
    }

    boolean isOfEveryHour() {
        return hours.cardinality() == 24;
    }

    private Optional<Instant> nextOfEveryHour(Instant after, ZoneId zone) {
        var end = after.plus(DAYS_SEARCHED_MAX, ChronoUnit.DAYS);
        var at = after.atZone(zone).truncatedTo(ChronoUnit.MINUTES).plusMinutes(1);
        while (at.toInstant().isBefore(end)) {
            if (!days.contains(at.toLocalDate())) {
                at = at.toLocalDate().plusDays(1).atStartOfDay(zone);
            } else if (minutes.get(at.getMinute())) {
                return Optional.of(at.toInstant());
            } else {
                at = at.plusMinutes(1);
            }
        }
        return Optional.empty();
    }

    private Optional<Instant> nextOfNamedHours(Instant after, ZoneId zone) {
        // A time of the day before may have been skipped, and its firing moved to this day.
        var day = after.atZone(zone).toLocalDate().minusDays(1);
        for (var searched = 0; searched < DAYS_SEARCHED_MAX; searched++, day = day.plusDays(1)) {
            if (days.contains(day)) {
                var found = firstOf(day, after, zone);
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Instant> firstOf(LocalDate day, Instant after, ZoneId zone) {
        for (var hour = hours.nextSetBit(0); hour >= 0; hour = hours.nextSetBit(hour + 1)) {
            for (var minute = minutes.nextSetBit(0); minute >= 0; minute = minutes.nextSetBit(minute + 1)) {
                var at = instantOf(day.atTime(hour, minute), zone);
                if (at.isAfter(after)) {
                    return Optional.of(at);
                }
            }
        }
        return Optional.empty();
    }

    /** The first instant at which a clock shows this time; when none ever does, the end of the time skipped. */
    private static Instant instantOf(LocalDateTime local, ZoneId zone) {
        var transition = zone.getRules().getTransition(local);
        return transition != null && transition.isGap()
                ? transition.getInstant()
                : local.atZone(zone).withEarlierOffsetAtOverlap().toInstant();
    }
}
