package io.millrace.engine.trigger.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.time.Instant;

/**
 * Messages about payloads stored as samples of a trigger (contract flows-and-engine 18.8), handled by
 * {@link TriggerEventService}.
 */
public sealed interface TriggerEvents {
    /**
     * A stored payload.
     *
     * @param sourceName {@code <pieceName>@<major.minor>:<triggerName>}
     * @param fileId file that holds the payload; the event is deleted with it
     */
    record TriggerEvent(
            String id,
            Instant created,
            Instant updated,
            String projectId,
            String flowId,
            String sourceName,
            String fileId,
            JsonNode payload) {
        TriggerEvent with(JsonNode read) {
            return new TriggerEvent(id, created, updated, projectId, flowId, sourceName, fileId, read);
        }

        public ObjectNode toJson() {
            var json = Json.object()
                    .put("id", id)
                    .put("created", Json.timestamp(created))
                    .put("updated", Json.timestamp(updated))
                    .put("projectId", projectId)
                    .put("flowId", flowId)
                    .put("sourceName", sourceName)
                    .put("fileId", fileId);
            json.set("payload", payload);
            return json;
        }
    }

    record Save(String projectId, String flowId, String sourceName, JsonNode payload)
            implements TriggerEvents, BusRequest<TriggerEvent> {}

    /** Stores a mock payload of a user, for the current trigger of the flow. */
    record SaveMock(String projectId, String flowId, JsonNode payload)
            implements TriggerEvents, BusRequest<TriggerEvent> {}

    /** The stored payloads of the current trigger of the flow, newest first. */
    record Find(String projectId, String flowId, PageRequest page)
            implements TriggerEvents, BusRequest<Page<TriggerEvent>> {}

    /** The stored payloads of one trigger of a flow, newest first. */
    record FindOf(String projectId, String flowId, String sourceName, PageRequest page)
            implements TriggerEvents, BusRequest<Page<TriggerEvent>> {}
}
