package io.millrace.integration.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.Optional;

/**
 * Delivery status of one event to one destination.
 *
 * @param due time of the next attempt; empty if there is none
 * @param delivered time of the acceptance
 * @param failure reason why the last attempt failed
 */
public record EventDelivery(
        String id,
        Instant created,
        String eventId,
        String action,
        int attempts,
        Optional<Instant> due,
        Optional<Instant> delivered,
        Optional<String> failure) {
    ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("eventId", eventId)
                .put("action", action)
                .put("status", status())
                .put("attempts", attempts)
                .put(
                        "nextAttempt",
                        due.filter(_ -> delivered.isEmpty())
                                .map(Json::timestamp)
                                .orElse(null))
                .put("delivered", delivered.map(Json::timestamp).orElse(null))
                .put("failure", failure.orElse(null));
    }

    private String status() {
        if (delivered.isPresent()) {
            return "DELIVERED";
        }
        return due.isPresent() ? "PENDING" : "FAILED";
    }
}
