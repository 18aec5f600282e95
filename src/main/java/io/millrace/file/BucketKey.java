package io.millrace.file;

import java.util.Optional;

/**
 * What opens a bucket.
 *
 * @param sessionToken goes with a key that is good for a while only
 */
public record BucketKey(String accessKeyId, String secretAccessKey, Optional<String> sessionToken) {
    /** A key that stays good. */
    public static BucketKey lasting(String accessKeyId, String secretAccessKey) {
        return new BucketKey(accessKeyId, secretAccessKey, Optional.empty());
    }

    @Override
    public String toString() {
        return "BucketKey[" + accessKeyId + "]";
    }
}
