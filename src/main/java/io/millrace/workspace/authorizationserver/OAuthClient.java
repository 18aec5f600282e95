package io.millrace.workspace.authorizationserver;

import io.millrace.base.secret.Hashes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A client that registered itself (contract admin-api 33.2).
 *
 * @param secretHash SHA-256 of the secret; empty for a public client
 */
record OAuthClient(
        String id,
        Instant created,
        Optional<String> name,
        List<String> redirectUris,
        List<String> grantTypes,
        ClientAuthentication authentication,
        Optional<String> secretHash) {
    /** Syntax of a client id; other ids are not looked up. */
    static final Pattern ID = Pattern.compile("^[A-Za-z0-9_-]{1,64}$");

    OAuthClient {
        redirectUris = List.copyOf(redirectUris);
        grantTypes = List.copyOf(grantTypes);
    }

    boolean isProvenBy(Optional<String> secret) {
        return authentication == ClientAuthentication.NONE
                || secret.map(Hashes::sha256Hex).map(this::isSecretHash).orElse(false);
    }

    private boolean isSecretHash(String hash) {
        return MessageDigest.isEqual(
                hash.getBytes(StandardCharsets.US_ASCII), secretHash.orElse("").getBytes(StandardCharsets.US_ASCII));
    }

    String label() {
        return name.filter(text -> !text.isBlank()).orElse("An unnamed client");
    }
}
