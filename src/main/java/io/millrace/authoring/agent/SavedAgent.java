package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.workspace.project.IconColor;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A saved agent (contract agents 1.3).
 *
 * @param externalId identifier in flows
 * @param description or null
 * @param sharedWith users who see a restricted one besides its owner
 * @param draft editable config
 * @param published config for runs; empty when not published
 */
public record SavedAgent(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String ownerId,
        String externalId,
        String displayName,
        String description,
        AgentIcon icon,
        IconColor color,
        Visibility visibility,
        List<String> sharedWith,
        ObjectNode draft,
        Optional<ObjectNode> published) {
    /** Visibility of an agent. */
    public enum Visibility {
        PROJECT,
        RESTRICTED
    }

    public SavedAgent {
        sharedWith = List.copyOf(sharedWith);
    }

    SavedAgent withPublished(Optional<ObjectNode> other, Instant now) {
        return new SavedAgent(
                id,
                created,
                now,
                projectId,
                ownerId,
                externalId,
                displayName,
                description,
                icon,
                color,
                visibility,
                sharedWith,
                draft,
                other);
    }

    SavedAgent movedTo(String otherProject, Instant now) {
        return new SavedAgent(
                id,
                created,
                now,
                otherProject,
                ownerId,
                externalId,
                displayName,
                description,
                icon,
                color,
                visibility,
                sharedWith,
                draft,
                published);
    }

    private ObjectNode head() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("ownerId", ownerId)
                .put("externalId", externalId)
                .put("displayName", displayName)
                .put("description", description)
                .put("icon", icon.word())
                .put("color", color.name())
                .put("visibility", visibility.name());
        sharedWith.forEach(json.putArray("sharedWithUserIds")::add);
        return json;
    }

    ObjectNode toJson() {
        var json = head();
        json.set("draft", AgentConfigReader.withoutSecrets(draft));
        published.ifPresentOrElse(
                config -> json.set("published", AgentConfigReader.withoutSecrets(config)),
                () -> json.putNull("published"));
        return json;
    }

    /** Form in lists. */
    ObjectNode toSummary(String projectName, boolean projectIsPrivate) {
        var tools = draft.path("tools");
        var json = head().put("isPublished", published.isPresent()).put("toolCount", tools.size());
        var pieces = json.putArray("toolPieceNames");
        tools.valueStream()
                .map(tool -> tool.at("/pieceMetadata/pieceName").asText(""))
                .filter(name -> !name.isEmpty())
                .distinct()
                .forEach(pieces::add);
        var types = json.putArray("toolTypes");
        tools.valueStream().map(tool -> tool.path("type").asText()).distinct().forEach(types::add);
        return json.put("projectDisplayName", projectName).put("projectIsPrivate", projectIsPrivate);
    }
}
