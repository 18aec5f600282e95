package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * OAuth provider of a piece, from the piece's metadata (contract pieces 2.3).
 *
 * @param prompt null for the usual one
 * @param pkceMethod {@code plain} or {@code S256}
 */
public record OAuthProviderMetadata(
        String authUrl,
        String tokenUrl,
        List<String> scopes,
        Map<String, String> extra,
        String prompt,
        boolean pkce,
        String pkceMethod,
        ClientPlace clientPlace) {
    private static final String TYPE = "OAUTH2";
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{([A-Za-z0-9_]{1,100})\\}");

    /** The OAuth definition among a piece's kinds of authentication; empty when it has none. */
    public static Optional<OAuthProviderMetadata> of(JsonNode auth) {
        if (auth == null) {
            return Optional.empty();
        }
        var definitions = auth.isArray() ? auth.valueStream().toList() : List.of(auth);
        return definitions.stream()
                .filter(definition -> definition.path("type").asText().equals(TYPE))
                .findFirst()
                .map(OAuthProviderMetadata::read);
    }

    private static OAuthProviderMetadata read(JsonNode definition) {
        var scopes = new ArrayList<String>();
        definition.path("scope").forEach(scope -> scopes.add(scope.asText()));
        var extra = new LinkedHashMap<String, String>();
        definition
                .path("extra")
                .properties()
                .forEach(entry -> extra.put(entry.getKey(), entry.getValue().asText()));
        return new OAuthProviderMetadata(
                definition.path("authUrl").asText(),
                definition.path("tokenUrl").asText(),
                List.copyOf(scopes),
                Map.copyOf(extra),
                definition.path("prompt").textValue(),
                definition.path("pkce").asBoolean(false),
                definition.path("pkceMethod").asText("plain"),
                definition.path("authorizationMethod").asText().equals(ClientPlace.HEADER.name())
                        ? ClientPlace.HEADER
                        : ClientPlace.BODY);
    }

    /** A URL or scope of the provider with placeholders filled from the fields of the connection. */
    static String filled(String text, Optional<ObjectNode> props) {
        return props.map(values -> PLACEHOLDER.matcher(text).replaceAll(match -> {
                    var value = values.path(match.group(1));
                    return java.util.regex.Matcher.quoteReplacement(
                            value.isValueNode() && !value.isNull() ? value.asText() : match.group());
                }))
                .orElse(text);
    }
}
