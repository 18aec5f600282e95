package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.config.BadSetting;
import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The secrets of apps, as AP_APP_WEBHOOK_SECRETS has them. */
public final class AppSecrets {
    private AppSecrets() {}

    /**
     * Reads secrets by piece name; refuses values other than an object of {@code {webhookSecret}}. A secret is a text, or an
     * object with a text for each of the operator's apps.
     */
    public static Map<String, JsonNode> read(String text) {
        var secrets = new HashMap<String, JsonNode>();
        if (text.isBlank()) {
            return secrets;
        }
        try {
            var parsed = Json.trusted(text.getBytes(StandardCharsets.UTF_8));
            for (var entry : parsed.properties()) {
                var secret = entry.getValue().path("webhookSecret");
                if (!isSecret(secret)) {
                    throw refused();
                }
                secrets.put(entry.getKey(), secret);
            }
            if (!parsed.isObject()) {
                throw refused();
            }
            return secrets;
        } catch (IllegalArgumentException | IllegalStateException malformed) {
            throw refused();
        }
    }

    private static boolean isSecret(JsonNode value) {
        return value.isObject() ? !value.isEmpty() && value.valueStream().allMatch(AppSecrets::isText) : isText(value);
    }

    private static boolean isText(JsonNode value) {
        return value.isTextual() && !value.textValue().isEmpty();
    }

    /** The value itself is a secret, so the message does not repeat it. */
    private static BadSetting refused() {
        return new BadSetting(
                "AP_APP_WEBHOOK_SECRETS: expected a JSON object like {\"slack\": {\"webhookSecret\": \"...\"}}");
    }
}
