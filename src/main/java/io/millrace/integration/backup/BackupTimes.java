package io.millrace.integration.backup;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** When backups are due, what each is called, and which stay. Pure. */
final class BackupTimes {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /** Of backups that a server took by itself: all others are left alone. */
    private static final Pattern NAME = Pattern.compile("millrace-(\\d{8}T\\d{6}Z)\\.backup");

    private BackupTimes() {}

    /** The next moment after one that is one of the times of a day in UTC. */
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

    static String nameAt(Instant moment) {
        return "millrace-" + TIME.format(moment) + ".backup";
    }

    static boolean isBackup(String name) {
        return NAME.matcher(name).matches();
    }

    /** When a backup was begun. */
    static Instant momentOf(String name) {
        var matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected the name of a backup, found " + name);
        }
        return TIME.parse(matcher.group(1), Instant::from);
    }

    /**
     * Those that stay no longer: all but so many of the newest, and those that are older than so many days. The newest always
     * stays.
     *
     * @param keep 0 for any number
     * @param keepDays 0 for any age
     */
    static List<String> surplus(List<String> names, int keep, int keepDays, Instant now) {
        var backups =
                names.stream().filter(BackupTimes::isBackup).sorted().toList().reversed();
        var surplus = new ArrayList<String>();
        for (var place = 1; place < backups.size(); place++) {
            var isTooMany = keep > 0 && place >= keep;
            var isTooOld = keepDays > 0 && momentOf(backups.get(place)).isBefore(now.minus(keepDays, ChronoUnit.DAYS));
            if (isTooMany || isTooOld) {
                surplus.add(backups.get(place));
            }
        }
        return surplus;
    }
}
