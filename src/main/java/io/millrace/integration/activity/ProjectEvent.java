package io.millrace.integration.activity;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;

/**
 * An event of a project.
 *
 * @param kind run, failure or publication
 * @param body JSON text
 */
record ProjectEvent(long transaction, long id, String projectId, String kind, String body) {
    EventPosition position() {
        return new EventPosition(transaction, id);
    }

    JsonNode data() {
        return Json.trusted(body);
    }
}
