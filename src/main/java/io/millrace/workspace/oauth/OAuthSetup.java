package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/**
 * Setup that an administrator completes at a provider before users can connect a piece. Pure.
 *
 * @param redirectUrl redirect address to register at the provider
 * @param scopes requested by the piece
 * @param provider host of the provider's sign-in page; empty where it depends on the connection
 * @param hint the piece's description of its connections
 */
record OAuthSetup(
        String pieceName,
        String displayName,
        String redirectUrl,
        String authUrl,
        List<String> scopes,
        Optional<String> provider,
        Optional<String> hint) {
    private static final String REDIRECT_PATH = "/redirect";

    OAuthSetup {
        scopes = List.copyOf(scopes);
    }

    static Optional<OAuthSetup> of(JsonNode piece, String publicUrl) {
        return OAuthProviderMetadata.of(piece.get("auth"))
                .map(provider -> new OAuthSetup(
                        piece.path("name").asText(),
                        piece.path("displayName").asText(),
                        publicUrl + REDIRECT_PATH,
                        provider.authUrl(),
                        provider.scopes(),
                        hostOf(provider.authUrl()),
                        hintOf(piece.path("auth"))));
    }

    private static Optional<String> hostOf(String authUrl) {
        try {
            return Optional.ofNullable(URI.create(authUrl).getHost());
        } catch (IllegalArgumentException placeholders) {
            return Optional.empty();
        }
    }

    private static Optional<String> hintOf(JsonNode auth) {
        var definitions = auth.isArray() ? auth.valueStream().toList() : List.of(auth);
        return definitions.stream()
                .filter(definition -> definition.path("type").asText().equals("OAUTH2"))
                .map(definition -> definition.path("description").asText())
                .filter(text -> !text.isBlank())
                .findFirst();
    }

    private List<String> steps() {
        var where = provider.map(host -> " (" + host + ")").orElse("");
        var asked = scopes.isEmpty() ? "It needs no scopes." : "Grant these scopes: " + String.join(" ", scopes);
        return List.of(
                "Open the developer console of " + displayName + where + " and make an app, also called OAuth client.",
                "Enter this redirect URL (callback URL): " + redirectUrl,
                asked,
                "Copy the client ID and the client secret, and save both here.");
    }

    ObjectNode toJson() {
        var json = Json.object()
                .put("pieceName", pieceName)
                .put("displayName", displayName)
                .put("redirectUrl", redirectUrl)
                .put("authorizationUrl", authUrl);
        json.set("scopes", Json.mapper().valueToTree(scopes));
        json.set("guide", Json.mapper().valueToTree(steps()));
        hint.ifPresent(text -> json.put("hint", text));
        return json;
    }
}
