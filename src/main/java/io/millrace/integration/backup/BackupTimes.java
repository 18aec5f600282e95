package io.millrace.integration.backup;

import io.millrace.base.backup.BackupNames;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Due times and retention of backups. Pure. */
final class BackupTimes {
    /** Most backups that expire by their age at once: with a clock that is ahead, an operator can still intervene. */
    static final int AGED_AT_ONCE_MAX = 3;

    private BackupTimes() {}

    /** The next of the daily times, in UTC, after an instant. */
    static Instant next(List<LocalTime> times, Instant after) {
        var day = after.atOffset(ZoneOffset.UTC).toLocalDate();
        for (var date = day; ; date = date.plusDays(1)) {
            for (var time : times.stream().sorted().toList()) {
                var moment = date.atTime(time).toInstant(ZoneOffset.UTC);
                if (moment.isAfter(after)) {
                    return moment;
                }
            }
        }
    }

    /**
     * Expired backups: all except the newest {@code keep}, and the oldest {@link #AGED_AT_ONCE_MAX} of those older than
     * {@code keepDays} days. The newest never expires.
     *
     * @param keep 0 for any number
     * @param keepDays 0 for any age
     */
    static List<String> surplus(List<String> names, int keep, int keepDays, Instant now) {
        var backups = names.stream().filter(BackupNames::isBackup).sorted().toList();
        return surplus(backups, BackupNames::momentOf, keep, keepDays, now);
    }

    /** Expired items of any kind with a time, ordered from the oldest. */
    static <T> List<T> surplus(List<T> backups, Function<T, Instant> moment, int keep, int keepDays, Instant now) {
        var surplus = new ArrayList<T>();
        var aged = 0;
        for (var index = 0; index < backups.size() - 1; index++) {
            var backup = backups.get(index);
            if (keep > 0 && backups.size() - 1 - index >= keep) {
                surplus.add(backup);
            } else if (keepDays > 0
                    && aged < AGED_AT_ONCE_MAX
                    && moment.apply(backup).isBefore(now.minus(keepDays, ChronoUnit.DAYS))) {
                aged++;
                surplus.add(backup);
            }
        }
        return surplus;
    }
}
