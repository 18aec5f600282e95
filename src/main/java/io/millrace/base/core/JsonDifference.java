package io.millrace.base.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * One place at which two JSON values differ.
 *
 * @param path JSON pointer of the smallest value that differs; a long one is cut, because many differences can repeat it
 * @param before former value; missing when there was none
 * @param after new value; missing when there is none
 */
public record JsonDifference(String path, JsonNode before, JsonNode after) {
    private static final int PATH_LENGTH_MAX = 4_000;

    /** All places, in the order in which the values name them. The values must be no deeper than input may be. */
    public static List<JsonDifference> between(JsonNode before, JsonNode after) {
        var found = new ArrayList<JsonDifference>();
        collect("", before, after, found);
        return found;
    }

    private static void collect(String path, JsonNode before, JsonNode after, List<JsonDifference> found) {
        if (before.equals(after)) {
            return;
        }
        if (before instanceof ObjectNode old && after instanceof ObjectNode other) {
            var names = new LinkedHashSet<String>();
            old.fieldNames().forEachRemaining(names::add);
            other.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> collect(inner(path, escaped(name)), old.path(name), other.path(name), found));
        } else if (before instanceof ArrayNode old && after instanceof ArrayNode other) {
            for (var index = 0; index < Math.max(old.size(), other.size()); index++) {
                collect(inner(path, String.valueOf(index)), item(old, index), item(other, index), found);
            }
        } else {
            found.add(new JsonDifference(path, before, after));
        }
    }

    private static String inner(String path, String name) {
        return path.length() > PATH_LENGTH_MAX ? path : path + "/" + CutText.of(name, PATH_LENGTH_MAX);
    }

    private static JsonNode item(ArrayNode list, int index) {
        return index < list.size() ? list.get(index) : MissingNode.getInstance();
    }

    /** A name as a segment of a pointer (RFC 6901). */
    private static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
