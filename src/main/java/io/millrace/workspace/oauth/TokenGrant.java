package io.millrace.workspace.oauth;

import java.util.Arrays;
import java.util.Optional;

/** Grant type of the first token request (contract admin-api 7.2). */
public enum TokenGrant {
    AUTHORIZATION_CODE("authorization_code"),
    CLIENT_CREDENTIALS("client_credentials");

    private final String word;

    TokenGrant(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public static Optional<TokenGrant> of(String word) {
        return Arrays.stream(values()).filter(grant -> grant.word.equals(word)).findFirst();
    }
}
