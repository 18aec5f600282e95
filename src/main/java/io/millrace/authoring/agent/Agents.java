package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.workspace.project.IconColor;
import java.util.List;
import java.util.Optional;

/** Requests about saved agents. Handled by {@link AgentService}. */
public sealed interface Agents {
    /**
     * Definition of a new agent.
     *
     * @param externalId identifier in existing flows; empty to generate one
     * @param description empty for none
     */
    record Definition(
            Optional<String> externalId,
            String displayName,
            Optional<String> description,
            AgentIcon icon,
            IconColor color,
            SavedAgent.Visibility visibility,
            List<String> sharedWith,
            ObjectNode draft) {}

    /** Changes of an agent; empty fields are unchanged. */
    record Changes(
            Optional<String> displayName,
            FieldChange<String> description,
            Optional<AgentIcon> icon,
            Optional<IconColor> color,
            Optional<SavedAgent.Visibility> visibility,
            Optional<List<String>> sharedWith,
            Optional<ObjectNode> draft,
            boolean goLive) {}

    record Create(Principal by, String projectId, Definition definition) implements Agents, BusRequest<JsonNode> {}

    /**
     * Updates an agent. If publication was requested and fails, the changes are kept, and so is the published config.
     */
    record Update(Principal by, String id, Changes changes) implements Agents, BusRequest<JsonNode> {}

    /** A draft of an agent, made by the model of the platform's chats; nothing is stored. */
    record Draft(Principal by, String projectId, String prompt) implements Agents, BusRequest<JsonNode> {}

    record Get(Principal by, String id, boolean withUsage) implements Agents, BusRequest<JsonNode> {}

    /**
     * Agents visible to the principal.
     *
     * @param projectId empty for all projects whose agents the principal may read
     * @param search part of a name or description
     */
    record Find(
            Principal by,
            Optional<String> projectId,
            Optional<String> externalId,
            Optional<String> search,
            Sort sort,
            PageRequest page)
            implements Agents, BusRequest<Page<JsonNode>> {}

    enum Sort {
        UPDATED,
        CREATED,
        NAME
    }

    /** Publishes the draft, or withdraws the published config. */
    record Publish(Principal by, String id, boolean live) implements Agents, BusRequest<JsonNode> {}

    record Delete(Principal by, String id) implements Agents, BusRequest<Nothing> {}

    record Move(Principal by, String id, String targetProjectId) implements Agents, BusRequest<JsonNode> {}

    /** The project of an agent; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements Agents, BusRequest<String> {}

    /** Published agent for flows of a project by its external id; empty when it is missing or not published. */
    record FindPublished(String projectId, String externalId) implements Agents, BusRequest<Optional<LiveAgent>> {}

    /**
     * A published agent.
     *
     * @param restricted true if only selected users of the project see it
     * @param config with the secrets of its tools
     */
    record LiveAgent(String id, String displayName, boolean restricted, ObjectNode config) {
        @Override
        public String toString() {
            return "LiveAgent[" + id + "]";
        }
    }
}
