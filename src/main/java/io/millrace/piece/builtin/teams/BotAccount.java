package io.millrace.piece.builtin.teams;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.PieceFailure;
import java.util.Locale;
import java.util.regex.Pattern;

record BotAccount(String appId, String appSecret, String tenantId) {
    /** Both become parts of addresses and identifiers. */
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z][0-9A-Za-z.-]{0,254}");

    static BotAccount of(JsonNode auth) {
        var props = auth.path("props").isObject() ? auth.path("props") : auth;
        var secret = props.path("appSecret").asText();
        if (secret.isEmpty()) {
            throw PieceFailure.of("appSecret: expected the bot's client secret, found nothing");
        }
        return new BotAccount(id(props, "appId"), secret, id(props, "tenantId"));
    }

    private static String id(JsonNode props, String name) {
        var text = props.path(name).asText().strip();
        if (!ID.matcher(text).matches()) {
            throw PieceFailure.of(name + ": expected the id that Microsoft shows for it");
        }
        return text;
    }

    String identifier() {
        return identifier(tenantId, appId);
    }

    static String identifier(String tenantId, String appId) {
        return (tenantId + "/" + appId).toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return "BotAccount[" + appId + "]";
    }
}
