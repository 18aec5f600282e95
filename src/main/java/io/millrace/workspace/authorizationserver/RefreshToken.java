package io.millrace.workspace.authorizationserver;

import io.millrace.base.core.Ids;
import io.millrace.base.secret.Hashes;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Refresh token of 64 URL-safe characters: 32 that all tokens of a grant have in common, the family, and 32 that change with each
 * rotation. A token whose family is known and whose rest is not the valid one has been spent; no list of spent tokens is stored.
 */
record RefreshToken(String text) {
    private static final String MAC = "HmacSHA256";
    private static final int LENGTH = 64;
    private static final int FAMILY_LENGTH = 32;
    private static final int SALT_LENGTH = 32;

    static RefreshToken fresh() {
        return new RefreshToken(Ids.random(LENGTH));
    }

    static String freshSalt() {
        return Ids.random(SALT_LENGTH);
    }

    String hash() {
        return Hashes.sha256Hex(text);
    }

    /** SHA-256 of the family; empty for a malformed token. */
    Optional<String> familyHash() {
        return text.length() == LENGTH
                ? Optional.of(Hashes.sha256Hex(text.substring(0, FAMILY_LENGTH)))
                : Optional.empty();
    }

    /** Next token of the family. It takes this token and the salt, of which the database has the salt and a hash of the token. */
    RefreshToken successor(String salt) {
        try {
            var mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), MAC));
            var rest = Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(salt.getBytes(StandardCharsets.UTF_8)));
            return new RefreshToken(text.substring(0, FAMILY_LENGTH) + rest.substring(0, LENGTH - FAMILY_LENGTH));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has " + MAC, impossible);
        }
    }

    @Override
    public String toString() {
        return "RefreshToken[]";
    }
}
