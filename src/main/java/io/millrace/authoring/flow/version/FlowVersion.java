package io.millrace.authoring.flow.version;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.step.EmptyTrigger;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One version of a flow: steps, name and derived data (contract flows-and-engine 2.2).
 *
 * @param updatedBy user who changed it last, or null
 * @param valid true if every step is valid or skipped (2.12)
 * @param schemaVersion null in very old versions
 * @param backupFiles file ids by the schema version they hold, or null
 */
public record FlowVersion(
        String id,
        Instant created,
        Instant updated,
        String flowId,
        String displayName,
        StepTree steps,
        String updatedBy,
        boolean valid,
        String schemaVersion,
        List<String> agentIds,
        List<String> connectionIds,
        VersionState state,
        Map<String, String> backupFiles,
        List<Note> notes) {
    /** The schema of steps that this server writes (2.14). */
    public static final String SCHEMA_VERSION = "22";

    public FlowVersion {
        Objects.requireNonNull(id);
        Objects.requireNonNull(flowId);
        Objects.requireNonNull(displayName);
        Objects.requireNonNull(steps);
        Objects.requireNonNull(state);
        agentIds = List.copyOf(agentIds);
        connectionIds = List.copyOf(connectionIds);
        backupFiles = backupFiles == null ? null : Map.copyOf(backupFiles);
        notes = List.copyOf(notes);
    }

    public static FlowVersion empty(String id, String flowId, String displayName, Instant now) {
        return new FlowVersion(
                id,
                now,
                now,
                flowId,
                displayName,
                new StepTree(EmptyTrigger.fresh(Json.timestamp(now)), List.of()),
                null,
                false,
                SCHEMA_VERSION,
                List.of(),
                List.of(),
                VersionState.DRAFT,
                null,
                List.of());
    }

    /** Returns whether the stored content has the current schema. The steps in memory always have. */
    public boolean isCurrent() {
        return SCHEMA_VERSION.equals(schemaVersion);
    }

    public FlowVersion upgraded(Map<String, String> backups) {
        return new FlowVersion(
                id,
                created,
                updated,
                flowId,
                displayName,
                steps,
                updatedBy,
                steps.isValid(),
                SCHEMA_VERSION,
                StepReferences.agentIds(steps),
                StepReferences.connectionIds(steps),
                state,
                backups,
                notes);
    }

    public FlowVersion with(StepTree otherSteps) {
        return with(displayName, otherSteps, state, notes);
    }

    public FlowVersion named(String otherName) {
        return with(otherName, steps, state, notes);
    }

    public FlowVersion noted(List<Note> otherNotes) {
        return with(displayName, steps, state, otherNotes);
    }

    public FlowVersion locked() {
        return with(displayName, steps, VersionState.LOCKED, notes);
    }

    private FlowVersion with(String otherName, StepTree otherSteps, VersionState otherState, List<Note> otherNotes) {
        return new FlowVersion(
                id,
                created,
                updated,
                flowId,
                otherName,
                otherSteps,
                updatedBy,
                valid,
                schemaVersion,
                agentIds,
                connectionIds,
                otherState,
                backupFiles,
                otherNotes);
    }

    /** The same version with all data derived from its steps recomputed (2.12, 2.13, 4.3). */
    public FlowVersion settled(Instant now, String user) {
        return new FlowVersion(
                id,
                created,
                now,
                flowId,
                displayName,
                steps,
                user == null ? updatedBy : user,
                steps.isValid(),
                schemaVersion,
                StepReferences.agentIds(steps),
                StepReferences.connectionIds(steps),
                state,
                backupFiles,
                notes);
    }

    public ObjectNode toJson() {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("flowId", flowId)
                .put("displayName", displayName)
                .put("schemaVersion", SCHEMA_VERSION)
                .put("valid", valid)
                .put("state", state.name())
                .put("updatedBy", updatedBy);
        json.set("trigger", steps.toJson());
        agentIds.forEach(json.putArray("agentIds")::add);
        connectionIds.forEach(json.putArray("connectionIds")::add);
        if (backupFiles == null) {
            json.putNull("backupFiles");
        } else {
            var files = json.putObject("backupFiles");
            backupFiles.forEach(files::put);
        }
        var noteList = json.putArray("notes");
        notes.forEach(note -> noteList.add(note.toJson()));
        return json;
    }
}
