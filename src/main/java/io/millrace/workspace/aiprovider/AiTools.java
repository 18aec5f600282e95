package io.millrace.workspace.aiprovider;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.FieldChange;
import java.util.Optional;

/** Requests about the services that agents use. Answered by {@link AiToolService}. */
sealed interface AiTools {
    record ListOf(Principal by) implements AiTools, BusRequest<JsonNode> {}

    /** Creates or replaces the platform's service for a capability; a replaced one keeps its id. */
    record Save(
            Principal by,
            AiTool.Capability capability,
            AiTool.Service service,
            String apiKey,
            Optional<ObjectNode> config,
            boolean enabled)
            implements AiTools, BusRequest<JsonNode> {
        @Override
        public String toString() {
            return "Save[" + capability + "]";
        }
    }

    record Update(
            Principal by,
            String id,
            Optional<AiTool.Service> service,
            Optional<String> apiKey,
            FieldChange<ObjectNode> config,
            Optional<Boolean> enabled)
            implements AiTools, BusRequest<JsonNode> {
        @Override
        public String toString() {
            return "Update[" + id + "]";
        }
    }

    record Delete(Principal by, String id) implements AiTools, BusRequest<Nothing> {}
}
