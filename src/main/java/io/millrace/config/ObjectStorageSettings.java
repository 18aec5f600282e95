package io.millrace.config;

import java.util.List;
import java.util.Optional;

/** Reads the settings of the object storage (contract admin-api 37.6). */
final class ObjectStorageSettings {
    private static final List<Setting> NEEDED = List.of(
            Setting.AP_S3_BUCKET, Setting.AP_S3_REGION, Setting.AP_S3_ACCESS_KEY_ID, Setting.AP_S3_SECRET_ACCESS_KEY);

    private ObjectStorageSettings() {}

    /** A bucket that is described in part cannot be used, and would only show when the first file is kept. */
    static Config.ObjectStorage read(SettingTexts texts) {
        var isWritten = texts.text(Setting.AP_FILE_STORAGE_LOCATION).equals("S3");
        var missing = NEEDED.stream()
                .filter(setting -> texts.text(setting).isEmpty())
                .map(Setting::name)
                .toList();
        if (missing.size() == NEEDED.size() && !isWritten) {
            return new Config.ObjectStorage(false, Optional.empty());
        }
        if (!missing.isEmpty()) {
            throw new BadSetting("a bucket needs a name, a region and a key; missing: " + String.join(", ", missing));
        }
        var region = texts.text(Setting.AP_S3_REGION);
        return new Config.ObjectStorage(
                isWritten,
                Optional.of(new Config.Bucket(
                        Config.optional(texts, Setting.AP_S3_ENDPOINT)
                                .orElse("https://s3." + region + ".amazonaws.com"),
                        texts.text(Setting.AP_S3_BUCKET),
                        region,
                        texts.text(Setting.AP_S3_ACCESS_KEY_ID),
                        texts.text(Setting.AP_S3_SECRET_ACCESS_KEY),
                        texts.flag(Setting.AP_S3_USE_SIGNED_URLS))));
    }
}
