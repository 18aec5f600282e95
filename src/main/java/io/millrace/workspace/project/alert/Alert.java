package io.millrace.workspace.project.alert;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/**
 * Subscription of an address to a project's failed runs (contract admin-api 24).
 *
 * @param receiver e-mail address in lower case
 */
public record Alert(String id, Instant created, Instant updated, String projectId, String receiver) {
    enum Channel {
        EMAIL
    }

    ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("channel", Channel.EMAIL.name())
                .put("receiver", receiver);
    }
}
