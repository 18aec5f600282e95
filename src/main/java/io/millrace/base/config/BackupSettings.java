package io.millrace.base.config;

import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Scheduled backups.
 *
 * @param times of the day, in UTC
 * @param keep number of the newest that are kept; 0 for any number
 * @param keepDays days for which they are kept; 0 for no limit
 * @param archivesLog true if the write-ahead log of the embedded database is kept too, so that any moment can be restored
 */
public record BackupSettings(
        List<LocalTime> times, BackupPlace place, Optional<Path> keyFile, int keep, int keepDays, boolean archivesLog) {
    private static final Pattern TIME = Pattern.compile("\\d\\d:\\d\\d");

    private static final Pattern BUCKET = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,62})(?:/([A-Za-z0-9._/-]*))?");

    private static final String BUCKET_SCHEME = "s3:";

    private static final String FOLDER = "backups";

    public BackupSettings {
        times = List.copyOf(times);
    }

    /** Destination of the backup before a migration: always a folder, because no bucket can be reached yet. */
    public record MigrationBackup(Path folder, Optional<Path> keyFile) {}

    static Optional<BackupSettings> read(SettingTexts texts) {
        var times = times(texts);
        var archivesLog = texts.flag(Setting.AP_BACKUP_WAL);
        if (times.isEmpty()) {
            if (archivesLog) {
                throw new BadSetting("AP_BACKUP_WAL: the log needs base copies, which are taken at the times of"
                        + " AP_BACKUP_AT; set AP_BACKUP_AT");
            }
            return Optional.empty();
        }
        var place = place(texts);
        if (archivesLog) {
            refuseLog(texts, place);
        }
        return Optional.of(new BackupSettings(
                times,
                place,
                keyFile(texts),
                texts.integer(Setting.AP_BACKUP_KEEP),
                texts.integer(Setting.AP_BACKUP_KEEP_DAYS),
                archivesLog));
    }

    /** An external database has its own operator and tools. */
    private static void refuseLog(SettingTexts texts, BackupPlace place) {
        if (texts.optional(Setting.AP_POSTGRES_URL).isPresent()
                || texts.optional(Setting.AP_POSTGRES_HOST).isPresent()) {
            throw new BadSetting("AP_BACKUP_WAL: expected an embedded database, found an external one");
        }
        if (place instanceof BackupPlace.InBucket) {
            throw new BadSetting("AP_BACKUP_WAL: expected a folder as AP_BACKUP_TARGET, found a bucket");
        }
    }

    private static Optional<Path> keyFile(SettingTexts texts) {
        return texts.optional(Setting.AP_BACKUP_KEY_FILE).map(Path::of);
    }

    /** Backup that a start takes before it migrates; empty when it takes none. */
    static Optional<MigrationBackup> beforeMigration(SettingTexts texts) {
        if (!texts.flag(Setting.AP_BACKUP_BEFORE_MIGRATION)) {
            return Optional.empty();
        }
        var target = texts.text(Setting.AP_BACKUP_TARGET);
        var isFolder = !target.isEmpty() && !target.startsWith(BUCKET_SCHEME);
        var folder = isFolder ? Path.of(target).toAbsolutePath() : ownFolder(texts);
        return Optional.of(new MigrationBackup(folder, keyFile(texts)));
    }

    private static Path ownFolder(SettingTexts texts) {
        return Path.of(texts.text(Setting.AP_DATA_DIR), FOLDER).toAbsolutePath();
    }

    private static List<LocalTime> times(SettingTexts texts) {
        var times = new ArrayList<LocalTime>();
        for (var word : texts.words(Setting.AP_BACKUP_AT)) {
            try {
                if (!TIME.matcher(word).matches()) {
                    throw new DateTimeParseException("expected hours and minutes", word, 0);
                }
                times.add(LocalTime.parse(word));
            } catch (DateTimeParseException malformed) {
                throw new BadSetting(
                        "AP_BACKUP_AT: expected times of the day such as 03:00 or 00:00,12:00, found " + word);
            }
        }
        return times;
    }

    private static BackupPlace place(SettingTexts texts) {
        var target = texts.text(Setting.AP_BACKUP_TARGET);
        if (!target.startsWith(BUCKET_SCHEME)) {
            return new BackupPlace.LocalFolder(
                    target.isEmpty() ? ownFolder(texts) : Path.of(target).toAbsolutePath());
        }
        var bucket = BUCKET.matcher(target);
        if (!bucket.matches()) {
            throw new BadSetting("AP_BACKUP_TARGET: expected a folder or s3://BUCKET/PREFIX, found " + target);
        }
        var storage = ObjectStorageSettings.read(texts)
                .bucket()
                .orElseThrow(() -> new BadSetting("AP_BACKUP_TARGET: the bucket " + bucket.group(1) + " of " + target
                        + " needs the settings of the object storage; missing: "
                        + String.join(", ", ObjectStorageSettings.missing(texts))));
        var prefix = bucket.group(2) == null ? "" : bucket.group(2).replaceAll("/+$", "");
        return new BackupPlace.InBucket(storage, bucket.group(1), prefix.isEmpty() ? "" : prefix + "/");
    }
}
