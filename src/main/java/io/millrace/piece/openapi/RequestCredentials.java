package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.PieceFailure;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Credentials of a request: of the first alternative for which the connection has all values.
 *
 * @param query encoded pairs
 */
record RequestCredentials(Map<String, String> headers, List<String> query, List<String> cookies) {
    static final RequestCredentials NONE = new RequestCredentials(Map.of(), List.of(), List.of());

    /**
     * Chooses the credentials.
     *
     * @param stored the part of the stored description with schemes and places
     * @param auth value of the connection; empty for none
     */
    static RequestCredentials of(RequestPlan plan, JsonNode stored, Optional<JsonNode> auth) {
        if (plan.security().isEmpty()) {
            return NONE;
        }
        for (var names : plan.security()) {
            var values = new ArrayList<AppliedCredential>();
            for (var name : names) {
                applied(name, stored, auth).ifPresent(values::add);
            }
            if (values.size() == names.size() && !names.isEmpty()) {
                return combined(values);
            }
        }
        if (plan.security().stream().anyMatch(List::isEmpty)) {
            return NONE;
        }
        throw PieceFailure.named(
                "ConnectionMismatch",
                "Expected credentials for "
                        + plan.security().stream()
                                .map(names -> String.join(" and ", names))
                                .reduce((one, other) -> one + ", or " + other)
                                .orElse("")
                        + ", found a connection without them");
    }

    private sealed interface AppliedCredential {
        record Header(String name, String value) implements AppliedCredential {}

        record Query(String name, String value) implements AppliedCredential {}

        record Cookie(String name, String value) implements AppliedCredential {}
    }

    private static RequestCredentials combined(List<AppliedCredential> all) {
        var headers = new LinkedHashMap<String, String>();
        var query = new ArrayList<String>();
        var cookies = new ArrayList<String>();
        for (var one : all) {
            switch (one) {
                case AppliedCredential.Header(var name, var value) -> headers.put(name, value);
                case AppliedCredential.Query(var name, var value) ->
                    query.add(ParameterStyle.encoded(name) + "=" + ParameterStyle.encoded(value));
                case AppliedCredential.Cookie(var name, var value) ->
                    cookies.add(name + "=" + ParameterStyle.encoded(value));
            }
        }
        return new RequestCredentials(headers, query, cookies);
    }

    private static Optional<AppliedCredential> applied(String name, JsonNode stored, Optional<JsonNode> auth) {
        var scheme = stored.path("schemes").path(name);
        return auth.flatMap(value -> switch (scheme.path("kind").asText()) {
            case "apiKey" -> secret(name, stored, value).map(key -> apiKey(scheme, key));
            case "bearer" -> secret(name, stored, value).map(RequestCredentials::bearer);
            case "basic" -> basic(name, stored, value);
            case "oauth2" ->
                isOf("OAUTH2", name, stored) && value.hasNonNull("access_token")
                        ? Optional.of(bearer(value.path("access_token").asText()))
                        : Optional.empty();
            default -> Optional.empty();
        });
    }

    private static boolean isOf(String type, String name, JsonNode stored) {
        return stored.path("places").path(type).asText().equals(name);
    }

    private static AppliedCredential bearer(String token) {
        return new AppliedCredential.Header("Authorization", "Bearer " + token);
    }

    private static AppliedCredential apiKey(JsonNode scheme, String key) {
        var name = scheme.path("name").asText();
        return switch (scheme.path("in").asText()) {
            case "query" -> new AppliedCredential.Query(name, key);
            case "cookie" -> new AppliedCredential.Cookie(name, key);
            default -> new AppliedCredential.Header(name, key);
        };
    }

    private static Optional<String> secret(String name, JsonNode stored, JsonNode value) {
        return isOf("SECRET_TEXT", name, stored) && value.hasNonNull("secret_text")
                ? given(value.path("secret_text"))
                : given(value.path("props").path(name));
    }

    private static Optional<String> given(JsonNode text) {
        return Optional.of(text.asText("")).filter(one -> !one.isEmpty());
    }

    private static Optional<AppliedCredential> basic(String name, JsonNode stored, JsonNode value) {
        var isWhole = isOf("BASIC_AUTH", name, stored);
        var username = isWhole ? value.path("username") : value.path("props").path(name + "_username");
        var password = isWhole ? value.path("password") : value.path("props").path(name + "_password");
        if (username.asText("").isEmpty() && password.asText("").isEmpty()) {
            return Optional.empty();
        }
        var both = (username.asText("") + ":" + password.asText("")).getBytes(StandardCharsets.UTF_8);
        return Optional.of(new AppliedCredential.Header(
                "Authorization", "Basic " + Base64.getEncoder().encodeToString(both)));
    }

    @Override
    public String toString() {
        return "RequestCredentials";
    }
}
