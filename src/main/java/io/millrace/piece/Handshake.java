package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * Distinguishes a provider's check of a webhook's address from an event (contract flows-and-engine 17.6).
 *
 * @param paramName name of the header, query parameter or field; empty for NONE
 */
public record Handshake(Strategy strategy, String paramName) {
    public static final Handshake NONE = new Handshake(Strategy.NONE, "");

    public enum Strategy {
        NONE,
        HEADER_PRESENT,
        QUERY_PRESENT,
        BODY_PARAM_PRESENT
    }

    public boolean matches(JsonNode payload) {
        return switch (strategy) {
            case NONE -> false;
            case HEADER_PRESENT -> payload.path("headers").has(paramName.toLowerCase(Locale.ROOT));
            case QUERY_PRESENT -> payload.path("queryParams").has(paramName);
            case BODY_PARAM_PRESENT -> payload.path("body").has(paramName);
        };
    }
}
