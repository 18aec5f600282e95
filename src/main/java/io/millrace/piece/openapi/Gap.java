package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;

/**
 * A part of a document that the piece does not have.
 *
 * @param place operation or part of the document
 */
public record Gap(String place, String message) {
    ObjectNode toJson() {
        return Json.object().put("place", place).put("message", message);
    }
}
