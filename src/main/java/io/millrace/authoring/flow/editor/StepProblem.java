package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/**
 * A problem of a step, for the author of the flow.
 *
 * @param message expected and actual state
 */
public record StepProblem(String stepName, String message) {
    public ObjectNode toJson() {
        return Json.object().put("stepName", stepName).put("message", message);
    }
}
