package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.CutText;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;

/** Differences of expected and found values: the first of them with both values, and their number. */
final class DifferenceList {
    static final int SHOWN_MAX = 20;

    private static final int SHOWN_LENGTH_MAX = 1_000;

    /** Deeper values are compared as texts: the comparison is recursive. */
    private static final int DEPTH_MAX = 200;

    private final ArrayNode shown = Json.array();
    private int count;

    int count() {
        return count;
    }

    ArrayNode shown() {
        return shown;
    }

    /** Compares values completely. Numbers are compared by value. */
    void compare(String path, JsonNode expected, JsonNode found) {
        compare(path, expected, found, 0);
    }

    /** Compares the fields that an expected object has; another value completely. */
    void compareFields(String path, JsonNode expected, JsonNode found) {
        if (!(expected instanceof ObjectNode object) || !found.isObject()) {
            compare(path, expected, found);
            return;
        }
        object.properties()
                .forEach(field ->
                        compareFields(path + "." + field.getKey(), field.getValue(), found.path(field.getKey())));
    }

    private void compare(String path, JsonNode expected, JsonNode found, int depth) {
        if (depth >= DEPTH_MAX) {
            if (!Arrays.equals(DeepJson.bytes(expected), DeepJson.bytes(found))) {
                add(path, expected, found);
            }
            return;
        }
        if (expected instanceof ObjectNode object && found instanceof ObjectNode other) {
            var names = new LinkedHashSet<String>();
            object.fieldNames().forEachRemaining(names::add);
            other.fieldNames().forEachRemaining(names::add);
            for (var name : names) {
                compare(path + "." + name, object.path(name), other.path(name), depth + 1);
            }
        } else if (expected instanceof ArrayNode list && found instanceof ArrayNode other) {
            for (var index = 0; index < Math.max(list.size(), other.size()); index++) {
                compare(path + "[" + index + "]", list.path(index), other.path(index), depth + 1);
            }
        } else if (!isSame(expected, found)) {
            add(path, expected, found);
        }
    }

    private static boolean isSame(JsonNode expected, JsonNode found) {
        if (expected.isNumber() && found.isNumber()) {
            return expected.decimalValue().compareTo(found.decimalValue()) == 0;
        }
        return !expected.isContainerNode() && !found.isContainerNode() && expected.equals(found);
    }

    /** Adds a difference; a missing value has no field. */
    void add(String path, JsonNode expected, JsonNode found) {
        count++;
        if (shown.size() < SHOWN_MAX) {
            var one = shown.addObject().put("path", path);
            put(one, "expected", expected);
            put(one, "found", found);
        }
    }

    private static void put(ObjectNode difference, String name, JsonNode value) {
        if (value instanceof MissingNode) {
            return;
        }
        var text = new String(DeepJson.bytes(value), StandardCharsets.UTF_8);
        difference.set(
                name,
                text.length() <= SHOWN_LENGTH_MAX
                        ? value
                        : TextNode.valueOf(CutText.marked(text, SHOWN_LENGTH_MAX, "…[shortened]")));
    }
}
