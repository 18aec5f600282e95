package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.net.WebAddress;
import io.millrace.base.secret.Hashes;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds the address at which a user allows the access (contract admin-api 7.7). */
final class AuthorizationUrl {
    private static final int VERIFIER_LENGTH = 64;

    private AuthorizationUrl() {}

    /**
     * The answer {@code {authorizationUrl, codeVerifier?}}.
     *
     * @param scopes empty for all of the piece
     * @throws IllegalArgumentException when the piece's URL with the props is not a valid URL
     */
    static ObjectNode make(
            OAuthProviderMetadata provider,
            String clientId,
            String redirectUrl,
            Optional<List<String>> scopes,
            Optional<ObjectNode> props) {
        var fields = new LinkedHashMap<String, String>();
        fields.put("response_type", "code");
        fields.put("client_id", clientId);
        fields.put("redirect_uri", redirectUrl);
        fields.put("access_type", "offline");
        fields.put("state", Ids.next());
        if (!"omit".equals(provider.prompt())) {
            fields.put("prompt", provider.prompt() == null ? "consent" : provider.prompt());
        }
        var scope = OAuthProviderMetadata.filled(String.join(" ", scopes.orElse(provider.scopes())), props);
        if (!scope.isEmpty()) {
            fields.put("scope", scope);
        }
        var answer = Json.object();
        if (provider.pkceMethod().isPresent()) {
            var verifier = Ids.random(VERIFIER_LENGTH);
            var isHashed = provider.pkceMethod().get().equals("S256");
            fields.put("code_challenge", isHashed ? hashed(verifier) : verifier);
            fields.put("code_challenge_method", isHashed ? "S256" : "plain");
            answer.put("codeVerifier", verifier);
        }
        fields.putAll(provider.extra());
        var base = OAuthProviderMetadata.filledUrl(provider.authUrl(), props);
        var address = WebAddress.parse(base).withQuery(encoded(fields));
        return answer.put("authorizationUrl", address.toString());
    }

    private static String encoded(Map<String, String> fields) {
        var parts = new ArrayList<String>();
        fields.forEach((name, value) -> parts.add(encoded(name) + "=" + encoded(value)));
        return String.join("&", parts);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String hashed(String verifier) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Hashes.sha256(verifier.getBytes(StandardCharsets.US_ASCII)));
    }
}
