package io.millrace.integration.activity;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.util.Optional;

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

    /** Id of the run that has paused or ended; its log has the steps up to then. */
    Optional<String> runWithSteps() {
        if (!kind.equals("run")) {
            return Optional.empty();
        }
        var run = data();
        return run.has("finishTime") || run.path("status").asText().equals("PAUSED")
                ? Optional.of(run.path("id").asText())
                : Optional.empty();
    }
}
