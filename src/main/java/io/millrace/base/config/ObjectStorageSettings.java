package io.millrace.base.config;

import io.millrace.base.config.Config.BucketAccess;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads the settings of the object storage (contract admin-api 37.6). */
final class ObjectStorageSettings {
    private static final List<Setting> BUCKET = List.of(Setting.AP_S3_BUCKET, Setting.AP_S3_REGION);
    private static final List<Setting> KEY = List.of(Setting.AP_S3_ACCESS_KEY_ID, Setting.AP_S3_SECRET_ACCESS_KEY);

    /** Set by the host for other programs, too: they alone do not configure a bucket. */
    private static final List<Setting> ROLE = List.of(Setting.AWS_ROLE_ARN, Setting.AWS_WEB_IDENTITY_TOKEN_FILE);

    private ObjectStorageSettings() {}

    /** A bucket that is described in part cannot be used, and would only show when the first file is kept. */
    static Config.ObjectStorage read(SettingTexts texts) {
        var isWritten = texts.text(Setting.AP_FILE_STORAGE_LOCATION).equals("S3");
        if (!isWritten
                && Stream.concat(BUCKET.stream(), KEY.stream())
                        .allMatch(setting -> texts.text(setting).isEmpty())) {
            return new Config.ObjectStorage(false, Optional.empty());
        }
        var byRole = texts.flag(Setting.AP_S3_USE_IRSA);
        var missing = missing(texts);
        if (!missing.isEmpty()) {
            throw new BadSetting("the bucket of files (AP_S3_) needs a name, a region and "
                    + (byRole ? "a role" : "a key") + "; missing: " + String.join(", ", missing));
        }
        var region = texts.text(Setting.AP_S3_REGION);
        return new Config.ObjectStorage(
                isWritten,
                Optional.of(new Config.Bucket(
                        texts.optional(Setting.AP_S3_ENDPOINT).orElse("https://s3." + region + ".amazonaws.com"),
                        texts.text(Setting.AP_S3_BUCKET),
                        region,
                        byRole ? role(texts, region) : key(texts),
                        texts.flag(Setting.AP_S3_USE_SIGNED_URLS))));
    }

    /** Names of the settings without which no bucket is reached. */
    static List<String> missing(SettingTexts texts) {
        var access = texts.flag(Setting.AP_S3_USE_IRSA) ? ROLE : KEY;
        return Stream.concat(BUCKET.stream(), access.stream())
                .filter(setting -> texts.text(setting).isEmpty())
                .map(Setting::name)
                .toList();
    }

    private static BucketAccess key(SettingTexts texts) {
        return new BucketAccess.Key(
                texts.text(Setting.AP_S3_ACCESS_KEY_ID), texts.text(Setting.AP_S3_SECRET_ACCESS_KEY));
    }

    private static BucketAccess role(SettingTexts texts, String region) {
        return new BucketAccess.Role(
                texts.text(Setting.AWS_ROLE_ARN),
                Path.of(texts.text(Setting.AWS_WEB_IDENTITY_TOKEN_FILE)),
                texts.optional(Setting.AWS_ENDPOINT_URL_STS).orElse("https://sts." + region + ".amazonaws.com"));
    }
}
