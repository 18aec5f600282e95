package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Optional;

/**
 * The pages of a list, by option of the conversion.
 *
 * @param parameter query parameter of the cursor, the page number or the offset; empty text for links
 * @param itemsPath JSON pointer of the list in a response; empty text for the whole response
 * @param cursorPath JSON pointer of the next cursor in a response
 */
public record Pagination(Kind kind, String parameter, String itemsPath, String cursorPath, int first) {
    public enum Kind {
        /** Header {@code Link} with {@code rel="next"}. */
        LINK,
        CURSOR,
        PAGE,
        OFFSET
    }

    ObjectNode toJson() {
        return Json.object()
                .put("kind", kind.name())
                .put("parameter", parameter)
                .put("itemsPath", itemsPath)
                .put("cursorPath", cursorPath)
                .put("first", first);
    }

    static Optional<Pagination> read(JsonNode json) {
        return json.isObject()
                ? Optional.of(new Pagination(
                        Kind.valueOf(json.path("kind").asText()),
                        json.path("parameter").asText(),
                        json.path("itemsPath").asText(),
                        json.path("cursorPath").asText(),
                        json.path("first").asInt()))
                : Optional.empty();
    }
}
