package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Set;

/**
 * Adds to the operations that change something the parts that all of them share: an operation that can be unavailable can
 * also fail with an unknown outcome (decision 0380).
 */
final class WriteOperations {
    private static final Set<String> METHODS = Set.of("post", "put", "patch", "delete");
    private static final String UNAVAILABLE = "503";
    private static final String OUTCOME_UNKNOWN = "504";
    private static final String REFERENCE = "$ref";

    private WriteOperations() {}

    static void describe(ObjectNode document) {
        document.path("paths")
                .forEach(path -> path.properties().forEach(entry -> {
                    if (METHODS.contains(entry.getKey()) && entry.getValue() instanceof ObjectNode operation) {
                        describeOperation(operation);
                    }
                }));
    }

    private static void describeOperation(ObjectNode operation) {
        if (operation.get("responses") instanceof ObjectNode responses
                && responses.has(UNAVAILABLE)
                && !responses.has(OUTCOME_UNKNOWN)) {
            responses.set(OUTCOME_UNKNOWN, Json.object().put(REFERENCE, "#/components/responses/OutcomeUnknown"));
        }
    }
}
