package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Values that are, or hold, a part of the log that still grows: the record of an enclosing loop. */
public final class GrowingValues {
    private GrowingValues() {}

    /**
     * The value, or a copy of it if it is or holds a part that grows.
     *
     * @param growing the parts, compared by identity
     */
    public static JsonNode detached(JsonNode value, Set<? extends JsonNode> growing) {
        return value != null && value.isContainerNode() && holdsAny(value, growing) ? value.deepCopy() : value;
    }

    private static boolean holdsAny(JsonNode value, Set<? extends JsonNode> growing) {
        if (growing.contains(value)) {
            return true;
        }
        for (var child : value) {
            if (child.isContainerNode() && holdsAny(child, growing)) {
                return true;
            }
        }
        return false;
    }
}
