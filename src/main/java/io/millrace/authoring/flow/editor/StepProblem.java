package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/**
 * Something that the author of a flow should know about a step.
 *
 * @param message what was expected, and what was found
 */
public record StepProblem(String stepName, String message) {
    public ObjectNode toJson() {
        return Json.object().put("stepName", stepName).put("message", message);
    }
}
