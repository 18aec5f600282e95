package io.millrace.workspace.authorizationserver;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Authentication method of a client at the token endpoint (RFC 7591, token_endpoint_auth_method). */
enum ClientAuthentication {
    NONE,
    CLIENT_SECRET_POST,
    CLIENT_SECRET_BASIC;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> words() {
        return Arrays.stream(values()).map(ClientAuthentication::word).toList();
    }

    static Optional<ClientAuthentication> of(String word) {
        return Arrays.stream(values())
                .filter(method -> method.word().equals(word))
                .findFirst();
    }
}
