package io.millrace.base.net;

import java.util.Optional;

/**
 * A key to a cloud account, as {@link CloudSigner} needs it.
 *
 * @param sessionToken token of a temporary key
 */
public record CloudKey(String accessKeyId, String secretAccessKey, Optional<String> sessionToken) {
    public static CloudKey lasting(String accessKeyId, String secretAccessKey) {
        return new CloudKey(accessKeyId, secretAccessKey, Optional.empty());
    }

    @Override
    public String toString() {
        return "CloudKey[" + accessKeyId + "]";
    }
}
