package io.millrace.integration.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.EventAction;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;

/** External receiver of selected events of a platform (contract admin-api 23). */
public record EventDestination(
        String id, Instant created, Instant updated, String platformId, List<EventAction> events, String url) {
    public EventDestination {
        events = List.copyOf(events);
    }

    ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("platformId", platformId)
                .put("scope", "PLATFORM")
                .put("url", url);
        var names = json.putArray("events");
        events.forEach(event -> names.add(event.text()));
        return json;
    }
}
