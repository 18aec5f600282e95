package io.millrace.authoring.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A saved agent (contract agents 1.3).
 *
 * @param externalId identifier in flows
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
        AgentProfile profile,
        ObjectNode draft,
        Optional<ObjectNode> published) {
    public enum Visibility {
        PROJECT,
        RESTRICTED
    }

    public String displayName() {
        return profile.displayName();
    }

    public Visibility visibility() {
        return profile.visibility();
    }

    public List<String> sharedWith() {
        return profile.sharedWith();
    }

    SavedAgent with(AgentProfile changed, ObjectNode changedDraft, Instant now) {
        return new SavedAgent(id, created, now, projectId, ownerId, externalId, changed, changedDraft, published);
    }

    SavedAgent withPublished(Optional<ObjectNode> other, Instant now) {
        return new SavedAgent(id, created, now, projectId, ownerId, externalId, profile, draft, other);
    }

    SavedAgent movedTo(String otherProject, Instant now) {
        return new SavedAgent(id, created, now, otherProject, ownerId, externalId, profile, draft, published);
    }

    private ObjectNode head() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("ownerId", ownerId)
                .put("externalId", externalId)
                .put("displayName", profile.displayName())
                .put("description", profile.description())
                .put("icon", profile.icon().word())
                .put("color", profile.color().name())
                .put("visibility", profile.visibility().name());
        profile.sharedWith().forEach(json.putArray("sharedWithUserIds")::add);
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
