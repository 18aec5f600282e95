package io.millrace.workspace.authorizationserver;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.text.ReceivedText;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

/**
 * Id and secret of a client, from the body or from an Authorization header (contract admin-api 33.5). Credentials in both are
 * refused as ambiguous (RFC 6749, 2.3).
 */
record ClientCredentials(Optional<String> clientId, Optional<String> secret) {
    private static final String BASIC = "basic ";

    /**
     * Ignores headers of other schemes: some programs send a user's token with each request.
     *
     * @param header value of the Authorization header; null when there is none
     */
    ClientCredentials and(String header) {
        if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(BASIC)) {
            return this;
        }
        var shown = ofHeader(header);
        if (secret.isPresent()) {
            throw ApiException.of(
                    ErrorCode.OAUTH_INVALID_REQUEST,
                    "the client authenticates in the body or in the header, not in both");
        }
        if (clientId.isPresent() && !clientId.equals(shown.clientId)) {
            throw ApiException.of(ErrorCode.OAUTH_INVALID_REQUEST, "client_id is not the client of the header");
        }
        return shown;
    }

    private static ClientCredentials ofHeader(String header) {
        try {
            var bytes =
                    Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
            var pair = ReceivedText.decoded(bytes, StandardCharsets.UTF_8).orElseThrow(ClientCredentials::unreadable);
            var colon = pair.indexOf(':');
            if (colon < 0) {
                throw unreadable();
            }
            return new ClientCredentials(
                    Optional.of(decoded(pair.substring(0, colon))), Optional.of(decoded(pair.substring(colon + 1))));
        } catch (IllegalArgumentException malformed) {
            throw unreadable();
        }
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }

    private static ApiException unreadable() {
        return ApiException.of(
                ErrorCode.OAUTH_INVALID_CLIENT, "expected Basic credentials of a client in the Authorization header");
    }

    @Override
    public String toString() {
        return "Credentials[]";
    }
}
