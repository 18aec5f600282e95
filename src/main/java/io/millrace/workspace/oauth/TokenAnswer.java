package io.millrace.workspace.oauth;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.PercentText;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.base.core.text.ShownText;
import io.millrace.base.net.OutboundResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Parses the response of a token endpoint: JSON, or the form encoding of some providers. */
final class TokenAnswer {
    private static final int BYTES_MAX = 256 * 1024;
    private static final int TEXT_LENGTH_MAX = 300;

    private static final String ACCESS_TOKEN = "access_token";

    /** Fields stored next to {@code data} in a value, and not inside of it. */
    private static final List<String> COMMON =
            List.of(ACCESS_TOKEN, "refresh_token", "token_type", "expires_in", "scope");

    private TokenAnswer() {}

    /** The token's part of a stored value (contract admin-api 7.9); throws the failure of a refusal. */
    static ObjectNode read(OutboundResponse response) {
        var answer = parse(response);
        if (response.status() >= 500 || response.status() == 429) {
            throw new OAuthFailure(
                    OAuthFailure.Kind.UNANSWERED, "the provider answered with status " + response.status());
        }
        var isRedirect = response.status() / 100 == 3;
        if (answer.isEmpty() || isRedirect || response.status() == 408) {
            throw new OAuthFailure(OAuthFailure.Kind.UNCLEAR, reason(response.status(), Json.object()));
        }
        var token = answer.get();
        if (response.status() >= 300 || !isGiven(token)) {
            throw new OAuthFailure(OAuthFailure.Kind.REFUSED, reason(response.status(), token));
        }
        var value = Json.object();
        for (var field : COMMON) {
            if (token.hasNonNull(field)) {
                value.set(field, token.get(field));
            }
        }
        value.set("data", token.deepCopy().without(COMMON));
        return value;
    }

    /**
     * True when the response has a token that a header can carry (RFC 6749, A.12): a response without one would make an old
     * token look renewed. Some providers nest a user's token one object deeper than an app's.
     */
    private static boolean isGiven(ObjectNode token) {
        if (token.hasNonNull(ACCESS_TOKEN)) {
            return isToken(token.get(ACCESS_TOKEN));
        }
        return !token.path("error").isTextual()
                && token.valueStream().anyMatch(inner -> isToken(inner.path(ACCESS_TOKEN)));
    }

    private static boolean isToken(JsonNode value) {
        return value.isTextual()
                && !value.textValue().isEmpty()
                && value.textValue().chars().noneMatch(Character::isISOControl);
    }

    /** Error of the provider; its other fields may hold secrets and are not repeated. */
    private static String reason(int status, ObjectNode token) {
        var error = token.path("error").asText("");
        var description = token.path("error_description").asText("");
        var text = description.isEmpty() ? error : error + ": " + description;
        return text.isEmpty()
                ? "the provider answered with status " + status + " and no token"
                : ShownText.of(text, TEXT_LENGTH_MAX);
    }

    private static Optional<ObjectNode> parse(OutboundResponse response) {
        if (response.body().length() > BYTES_MAX) {
            return Optional.empty();
        }
        try {
            return Json.parse(response.body().getBytes()) instanceof ObjectNode object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (JsonProcessingException notJson) {
            return ReceivedText.decoded(response.body().getBytes(), StandardCharsets.UTF_8)
                    .flatMap(TokenAnswer::form);
        }
    }

    private static Optional<ObjectNode> form(String text) {
        var isToken = text.contains("access_token=") || text.contains("error=");
        if (!isToken || !PercentText.isForm(text, StandardCharsets.UTF_8)) {
            return Optional.empty();
        }
        var fields = Json.object();
        for (var part : text.split("&")) {
            var equals = part.indexOf('=');
            if (equals > 0) {
                fields.put(decoded(part.substring(0, equals)), decoded(part.substring(equals + 1)));
            }
        }
        return Optional.of(fields);
    }

    private static String decoded(String text) {
        return PercentText.decoded(text.replace('+', ' '), StandardCharsets.UTF_8);
    }
}
