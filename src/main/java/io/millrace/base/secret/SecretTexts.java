package io.millrace.base.secret;

import com.fasterxml.jackson.databind.JsonNode;

/** Replaces secrets in texts of peers: some peers repeat the data sent to them. */
public final class SecretTexts {
    /** Shorter values are not secrets, and occur in most texts. */
    public static final int LENGTH_MIN = 4;

    private static final String MARK = "***";

    private SecretTexts() {}

    public static String hide(String text, JsonNode secrets) {
        var hidden = text;
        for (var secret : secrets) {
            var value = secret.asText("");
            hidden = value.length() < LENGTH_MIN ? hidden : hidden.replace(value, MARK);
        }
        return hidden;
    }
}
