package io.millrace.workspace.model.format;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Content blocks of an answer in the order in which they begin. Proxies number blocks wrongly: an index may be missing, a
 * text, or the same for all blocks. A start event always adds a block; a fragment belongs to the latest block of its index
 * that can grow by it.
 */
final class StreamedBlocks {
    private final List<ObjectNode> blocks = new ArrayList<>();
    private final Map<String, ObjectNode> latest = new HashMap<>();

    ObjectNode open(JsonNode index, ObjectNode block) {
        blocks.add(block);
        latest.put(index.asText(""), block);
        return block;
    }

    /**
     * Block that a fragment belongs to; a new one when there is none.
     *
     * @param fits true when a block can grow by the fragment
     */
    ObjectNode at(JsonNode index, Predicate<ObjectNode> fits) {
        var known = index.asText("").isEmpty() && !blocks.isEmpty() ? blocks.getLast() : latest.get(index.asText(""));
        return known != null && fits.test(known) ? known : open(index, Json.object());
    }

    ArrayNode toJson(UnaryOperator<ObjectNode> finished) {
        var content = Json.array();
        blocks.forEach(block -> content.add(finished.apply(block)));
        return content;
    }
}
