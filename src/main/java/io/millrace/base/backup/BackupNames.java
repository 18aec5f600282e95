package io.millrace.base.backup;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Names of backups that a server takes by itself, made of the time at which they began. Pure. */
public final class BackupNames {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    /** Files with other names are left unchanged. */
    private static final Pattern NAME = Pattern.compile("millrace-(\\d{8}T\\d{6}Z)\\.backup");

    private BackupNames() {}

    public static String nameAt(Instant moment) {
        return "millrace-" + textOf(moment) + ".backup";
    }

    public static boolean isBackup(String name) {
        return find(name).isPresent();
    }

    public static Instant momentOf(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalArgumentException("expected the name of a backup, found " + name));
    }

    /** Empty for other names, and for an invalid date. */
    private static Optional<Instant> find(String name) {
        var matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(momentOfText(matcher.group(1)));
        } catch (DateTimeParseException noTime) {
            return Optional.empty();
        }
    }

    static String textOf(Instant moment) {
        return TIME.format(moment);
    }

    static Instant momentOfText(String text) {
        return TIME.parse(text, Instant::from);
    }
}
