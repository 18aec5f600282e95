package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/**
 * An operation of a document.
 *
 * @param method in upper case
 * @param item the path item, whose parameters and servers apply too
 * @param actionName name of the action, the same in every version of the document that keeps the operation
 */
record DocumentOperation(String method, String path, JsonNode item, JsonNode node, String actionName) {
    String place() {
        return method + " " + path;
    }

    String operationId() {
        return node.path("operationId").asText("");
    }

    String tag() {
        return node.path("tags").path(0).asText("");
    }

    String summary() {
        return node.path("summary").asText("").strip();
    }

    boolean isIn(Set<String> wanted) {
        return wanted.isEmpty()
                || wanted.contains(place())
                || wanted.contains(operationId())
                || wanted.contains(actionName);
    }
}
