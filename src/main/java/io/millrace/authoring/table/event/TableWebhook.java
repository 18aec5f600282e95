package io.millrace.authoring.table.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;

/** Subscription of a flow to the records of a table (contract flows-and-engine 22.1). */
public record TableWebhook(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String tableId,
        List<RecordEvent> events,
        String flowId) {
    public TableWebhook {
        events = List.copyOf(events);
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("tableId", tableId)
                .put("flowId", flowId);
        var list = json.putArray("events");
        events.forEach(event -> list.add(event.name()));
        return json;
    }
}
