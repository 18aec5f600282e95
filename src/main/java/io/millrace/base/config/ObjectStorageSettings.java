package io.millrace.base.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Storage of the bytes of files (contract admin-api 37.6).
 *
 * @param isWritten true if new files are written to the bucket
 * @param bucket empty when there is none
 */
public record ObjectStorageSettings(boolean isWritten, Optional<Bucket> bucket) {
    private static final List<Setting> BUCKET = List.of(Setting.AP_S3_BUCKET, Setting.AP_S3_REGION);

    private static final List<Setting> KEY = List.of(Setting.AP_S3_ACCESS_KEY_ID, Setting.AP_S3_SECRET_ACCESS_KEY);

    /** Set by the host for other programs, too: they alone do not configure a bucket. */
    private static final List<Setting> ROLE = List.of(Setting.AWS_ROLE_ARN, Setting.AWS_WEB_IDENTITY_TOKEN_FILE);

    public record Bucket(String endpoint, String name, String region, BucketAccess access, boolean signedUrls) {}

    public sealed interface BucketAccess {
        record Key(String accessKeyId, String secretAccessKey) implements BucketAccess {
            @Override
            public String toString() {
                return "Key[" + accessKeyId + "]";
            }
        }

        /**
         * The role of the host (AP_S3_USE_IRSA).
         *
         * @param tokenFile file with the identity token of the host
         * @param tokenService address of the service that grants the role
         */
        record Role(String arn, Path tokenFile, String tokenService) implements BucketAccess {}
    }

    /** Rejects a partly described bucket at the start; otherwise the first stored file would fail. */
    static ObjectStorageSettings read(SettingTexts texts) {
        var isWritten = texts.text(Setting.AP_FILE_STORAGE_LOCATION).equals("S3");
        if (!isWritten
                && Stream.concat(BUCKET.stream(), KEY.stream())
                        .allMatch(setting -> texts.text(setting).isEmpty())) {
            return new ObjectStorageSettings(false, Optional.empty());
        }
        var byRole = texts.flag(Setting.AP_S3_USE_IRSA);
        var missing = missing(texts);
        if (!missing.isEmpty()) {
            throw new BadSetting("the bucket of files (AP_S3_) needs a name, a region and "
                    + (byRole ? "a role" : "a key") + "; missing: " + String.join(", ", missing));
        }
        var region = texts.text(Setting.AP_S3_REGION);
        return new ObjectStorageSettings(
                isWritten,
                Optional.of(new Bucket(
                        texts.optional(Setting.AP_S3_ENDPOINT).orElse("https://s3." + region + ".amazonaws.com"),
                        texts.text(Setting.AP_S3_BUCKET),
                        region,
                        byRole ? role(texts, region) : key(texts),
                        texts.flag(Setting.AP_S3_USE_SIGNED_URLS))));
    }

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
