package io.millrace.workspace.connection.credential;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.workspace.oauth.ClaimRequest;
import io.millrace.workspace.oauth.ClientPlace;
import io.millrace.workspace.oauth.TokenGrant;

/** Credentials in a request for a connection (contract admin-api 7.2). */
public sealed interface Credentials {
    ConnectionType type();

    record Given(ConnectionType type, ObjectNode value) implements Credentials {
        @Override
        public String toString() {
            return "Given[" + type + "]";
        }
    }

    /** Claim that is exchanged for a token before it is stored. */
    record Claimable(ConnectionType type, ClaimRequest claim) implements Credentials {}

    record Placeholder() implements Credentials {
        @Override
        public ConnectionType type() {
            return ConnectionType.NO_AUTH;
        }
    }

    String PLACEHOLDER = "PLACEHOLDER";

    /** Reads {@code type} and {@code value} of a body; violations are recorded in its fields. */
    static Credentials read(Fields body, boolean placeholderAllowed) {
        if (placeholderAllowed && body.raw("type").asText().equals(PLACEHOLDER)) {
            return new Placeholder();
        }
        var type = body.option("type", ConnectionType.class);
        var value = body.inner("value");
        if (!value.text("type").equals(body.raw("type").asText())) {
            value.refuse("type", "Invalid input: expected \"" + type + "\"");
        }
        return type.isOAuth() ? new Claimable(type, claim(type, value)) : new Given(type, given(type, value));
    }

    private static ObjectNode given(ConnectionType type, Fields value) {
        var json = Json.object().put("type", type.name());
        return switch (type) {
            case SECRET_TEXT -> json.put("secret_text", filled(value, "secret_text"));
            case BASIC_AUTH ->
                json.put("username", filled(value, "username")).put("password", filled(value, "password"));
            case CUSTOM_AUTH, OIDC -> json.set("props", props(value));
            case NO_AUTH, OAUTH2, PLATFORM_OAUTH2, CLOUD_OAUTH2 -> json;
        };
    }

    private static ObjectNode props(Fields value) {
        if (value.isAbsent("props")) {
            value.inner("props");
        }
        return value.optionalObject("props").orElseGet(Json::object);
    }

    private static ClaimRequest claim(ConnectionType type, Fields value) {
        var isOwn = type == ConnectionType.OAUTH2;
        return new ClaimRequest(
                isOwn ? grant(value) : TokenGrant.AUTHORIZATION_CODE,
                new ClaimRequest.ClientLogin(filled(value, "client_id"), isOwn ? filled(value, "client_secret") : ""),
                filled(value, "code"),
                type == ConnectionType.CLOUD_OAUTH2 ? "" : filled(value, "redirect_url"),
                value.text("scope"),
                value.optionalText("code_challenge"),
                value.optionalOption("authorization_method", ClientPlace.class),
                value.optionalObject("props"));
    }

    private static TokenGrant grant(Fields value) {
        var word = value.optionalText("grant_type").orElse(TokenGrant.AUTHORIZATION_CODE.word());
        return TokenGrant.of(word).orElseGet(() -> {
            value.refuse("grant_type", "Invalid option: expected one of \"authorization_code\"|\"client_credentials\"");
            return TokenGrant.AUTHORIZATION_CODE;
        });
    }

    private static String filled(Fields value, String name) {
        return value.text(name, 1, Integer.MAX_VALUE);
    }
}
