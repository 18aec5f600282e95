package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

record ApiOperation(String method, String path, JsonNode pathItem, JsonNode node) {
    static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");

    String id() {
        return node.path("operationId").asText();
    }

    String summary() {
        return node.path("summary").asText();
    }

    String area() {
        return node.path("tags").path(0).asText();
    }

    boolean isAtRoot() {
        return pathItem.path("servers").findValuesAsText("url").contains("/");
    }

    boolean isPublic() {
        return node.path("x-access").asText().equals("public");
    }

    String page() {
        return "/api/v1/docs/" + id();
    }
}
