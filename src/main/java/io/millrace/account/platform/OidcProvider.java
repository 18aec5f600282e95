package io.millrace.account.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.regex.Pattern;

/**
 * An OpenID Connect identity provider, with this server as its client.
 *
 * @param issuer name of the provider, and base address of its metadata
 */
public record OidcProvider(String issuer, String clientId, String clientSecret) {
    private static final int TEXT_LENGTH_MAX = 2_000;
    private static final Pattern ISSUER = Pattern.compile("^https?://[^\\s?#@]{1,500}$");

    static ObjectNode read(Fields oidc) {
        return Json.object()
                .put("issuer", oidc.text("issuer", ISSUER))
                .put("clientId", oidc.text("clientId", 1, TEXT_LENGTH_MAX))
                .put("clientSecret", oidc.text("clientSecret", 1, TEXT_LENGTH_MAX));
    }

    static OidcProvider of(JsonNode kept) {
        return new OidcProvider(
                kept.path("issuer").asText(),
                kept.path("clientId").asText(),
                kept.path("clientSecret").asText());
    }

    @Override
    public String toString() {
        return "OidcProvider[" + issuer + "]";
    }
}
