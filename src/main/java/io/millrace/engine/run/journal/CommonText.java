package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;

/**
 * Common part of two values: the fields of both, and their equal values. Differing values become empty, so that the
 * result of many logs contains only data of the flow, and none of its callers.
 */
final class CommonText {
    /** Deeper than records of nested loops; the bound prevents stack overflows by deeply nested values. */
    private static final int DEPTH_MAX = 24;

    private static final int ITEMS_MAX = 8;

    private static final TextNode EMPTY = TextNode.valueOf("");

    private CommonText() {}

    static JsonNode of(JsonNode one, JsonNode other) {
        return of(one, other, DEPTH_MAX);
    }

    private static JsonNode of(JsonNode one, JsonNode other, int depth) {
        if (depth == 0) {
            return NullNode.getInstance();
        }
        if (one instanceof ObjectNode left && other instanceof ObjectNode right) {
            return fields(left, right, depth - 1);
        }
        if (one instanceof ArrayNode left && other instanceof ArrayNode right) {
            return items(left, right, depth - 1);
        }
        if (!one.isContainerNode() && one.equals(other)) {
            return one;
        }
        return one.isTextual() ? EMPTY : NullNode.getInstance();
    }

    private static ObjectNode fields(ObjectNode left, ObjectNode right, int depth) {
        var common = Json.object();
        for (var field : left.properties()) {
            var other = right.get(field.getKey());
            if (other != null) {
                common.set(field.getKey(), of(field.getValue(), other, depth));
            }
        }
        return common;
    }

    private static ArrayNode items(ArrayNode left, ArrayNode right, int depth) {
        var common = Json.array();
        var count = Math.min(ITEMS_MAX, Math.min(left.size(), right.size()));
        for (var index = 0; index < count; index++) {
            common.add(of(left.get(index), right.get(index), depth));
        }
        return common;
    }
}
