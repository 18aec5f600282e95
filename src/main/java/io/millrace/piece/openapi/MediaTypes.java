package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;

final class MediaTypes {
    private static final List<String> ORDER = List.of("json", "multipart", "urlencoded", "text", "binary");

    private MediaTypes() {}

    /** The media type of a content map that a piece can use best; the first of equals. */
    static String preferred(JsonNode content) {
        return content.properties().stream()
                .map(Map.Entry::getKey)
                .min((one, other) -> Integer.compare(rank(one), rank(other)))
                .orElse("application/json");
    }

    private static int rank(String type) {
        return ORDER.indexOf(formOf(type)) * 2 + (plain(type).equals("application/json") ? 0 : 1);
    }

    static String formOf(String type) {
        var plain = plain(type);
        if (plain.equals("application/json") || plain.endsWith("+json") || plain.equals("*/*")) {
            return "json";
        }
        if (plain.equals("application/x-www-form-urlencoded")) {
            return "urlencoded";
        }
        if (plain.startsWith("multipart/")) {
            return "multipart";
        }
        return plain.startsWith("text/") || plain.endsWith("xml") || plain.endsWith("yaml") || plain.endsWith("graphql")
                ? "text"
                : "binary";
    }

    private static String plain(String type) {
        return type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
    }
}
