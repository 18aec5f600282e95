package io.millrace.base.config;

import io.millrace.base.config.Config.BackupPlace;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads when backups are taken, and where they go. */
final class BackupSettings {
    private static final Pattern TIME = Pattern.compile("\\d\\d:\\d\\d");
    private static final Pattern BUCKET = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,62})(?:/([A-Za-z0-9._/-]*))?");
    private static final String FOLDER = "backups";

    private BackupSettings() {}

    static Optional<Config.Backups> read(SettingTexts texts) {
        var times = times(texts);
        return times.isEmpty()
                ? Optional.empty()
                : Optional.of(new Config.Backups(
                        times,
                        place(texts),
                        texts.optional(Setting.AP_BACKUP_KEY_FILE).map(Path::of),
                        texts.integer(Setting.AP_BACKUP_KEEP),
                        texts.integer(Setting.AP_BACKUP_KEEP_DAYS)));
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
        if (!target.startsWith("s3:")) {
            return new BackupPlace.Folder(
                    target.isEmpty()
                            ? Path.of(texts.text(Setting.AP_DATA_DIR), FOLDER).toAbsolutePath()
                            : Path.of(target).toAbsolutePath());
        }
        var bucket = BUCKET.matcher(target);
        if (!bucket.matches()) {
            throw new BadSetting("AP_BACKUP_TARGET: expected a folder or s3://BUCKET/PREFIX, found " + target);
        }
        var storage = ObjectStorageSettings.read(texts)
                .bucket()
                .orElseThrow(
                        () -> new BadSetting("AP_BACKUP_TARGET: a bucket needs AP_S3_REGION and a key, and AP_S3_BUCKET"
                                + " for the files; found none"));
        var prefix = bucket.group(2) == null ? "" : bucket.group(2).replaceAll("/+$", "");
        return new BackupPlace.InBucket(storage, bucket.group(1), prefix.isEmpty() ? "" : prefix + "/");
    }
}
