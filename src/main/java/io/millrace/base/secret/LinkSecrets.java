package io.millrace.base.secret;

import java.util.Optional;

/**
 * Secrets of links that leave the server.
 *
 * @param current signs and checks (AP_JWT_SECRET)
 * @param previous checks only (AP_JWT_SECRET_PREVIOUS)
 */
public record LinkSecrets(String current, Optional<String> previous) {
    public static LinkSecrets of(String current) {
        return new LinkSecrets(current, Optional.empty());
    }

    @Override
    public String toString() {
        return "LinkSecrets[***]";
    }
}
