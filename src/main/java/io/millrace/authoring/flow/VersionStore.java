package io.millrace.authoring.flow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.Note;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.authoring.flow.version.TreeMigration;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Json;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

public final class VersionStore {
    /**
     * Columns of a version with the table alias {@code v}; named so that they can be combined with the columns of its
     * flow.
     */
    static final String COLUMNS = """
            v.id as version_id, v.created as version_created, v.updated as version_updated,
            v.flow_id as version_flow_id, v.display_name as version_display_name, v.trigger as version_trigger,
            v.updated_by as version_updated_by, v.valid as version_valid, v.schema_version as version_schema_version,
            v.agent_ids as version_agent_ids, v.connection_ids as version_connection_ids, v.state as version_state,
            v.notes as version_notes, v.backup_files::text as version_backup_files
            """;

    private static final String SELECT = "select " + COLUMNS + " from flow_version v";

    private static final String LAST_LOCKED = """
            select id, updated from flow_version where flow_id = $1 and state = 'LOCKED'
             order by created desc, id desc limit 1
            """;

    private static final RowMapper<Flows.VersionRef> LOCKED = RowMapper.of(Flows.VersionRef.class, LAST_LOCKED);

    private static final RowMapper<FlowVersion> VERSIONS =
            RowMapper.of(OneVersion.class, SELECT).as(one -> one.version().version());

    private record OneVersion(VersionRow version) {}

    /** A version in the component {@code version} of a row with {@link #COLUMNS}. */
    record VersionRow(
            String id,
            Instant created,
            Instant updated,
            String flowId,
            String displayName,
            Buffer trigger,
            @Nullable String updatedBy,
            boolean valid,
            @Nullable String schemaVersion,
            List<String> agentIds,
            List<String> connectionIds,
            VersionState state,
            JsonNode notes,
            @Nullable JsonNode backupFiles) {
        FlowVersion version() {
            return new FlowVersion(
                    id,
                    created,
                    updated,
                    flowId,
                    displayName,
                    steps(),
                    updatedBy,
                    valid,
                    schemaVersion,
                    agentIds,
                    connectionIds,
                    state,
                    backupFiles == null ? null : backupFilesOf(backupFiles),
                    notesOf(notes));
        }

        /** Reads the steps and migrates them to the current schema, regardless of the release that wrote them. */
        private StepTree steps() {
            return StepTree.stored(
                    DeepJson.trusted(trigger.getBytes()), new TreeMigration(schemaVersion), Json.timestamp(updated));
        }
    }

    Future<Void> insert(Tx tx, FlowVersion version) {
        return tx.query(
                        """
                        insert into flow_version (id, created, updated, flow_id, display_name, trigger, updated_by,
                          valid, schema_version, agent_ids, connection_ids, state, notes)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
                        """,
                        version.id(),
                        version.created(),
                        version.updated(),
                        version.flowId(),
                        version.displayName(),
                        DeepJson.bytes(version.steps().toJson()),
                        version.updatedBy(),
                        version.valid(),
                        version.schemaVersion(),
                        version.agentIds().toArray(String[]::new),
                        version.connectionIds().toArray(String[]::new),
                        version.state(),
                        notes(version))
                .mapEmpty();
    }

    /** Writes the steps in the current schema, regardless of the row's schema. */
    public Future<Void> update(Tx tx, FlowVersion version) {
        return tx.query(
                        """
                        update flow_version set updated = $2, display_name = $3, trigger = $4, updated_by = $5,
                          valid = $6, schema_version = $7, agent_ids = $8, connection_ids = $9, state = $10,
                          notes = $11, backup_files = $12
                        where id = $1
                        """,
                        version.id(),
                        version.updated(),
                        version.displayName(),
                        DeepJson.bytes(version.steps().toJson()),
                        version.updatedBy(),
                        version.valid(),
                        FlowVersion.SCHEMA_VERSION,
                        version.agentIds().toArray(String[]::new),
                        version.connectionIds().toArray(String[]::new),
                        version.state(),
                        notes(version),
                        backupFiles(version))
                .mapEmpty();
    }

    record OldVersion(Buffer trigger) {}

    /** Locks and reads the steps of a version until the transaction ends; empty when it has the current schema. */
    Future<Optional<OldVersion>> lockOld(Tx tx, String versionId) {
        return tx.query("""
                        select trigger from flow_version
                         where id = $1 and schema_version is distinct from $2 for update
                        """, versionId, FlowVersion.SCHEMA_VERSION)
                .map(rows -> Rows.first(rows, row -> new OldVersion(Rows.buffer(row, "trigger"))));
    }

    public Future<Optional<FlowVersion>> find(Tx tx, String versionId) {
        return tx.query(SELECT + " where v.id = $1", versionId).map(VERSIONS::first);
    }

    Future<Optional<FlowVersion>> findLatest(Tx tx, String flowId) {
        return tx.query(SELECT + " where v.flow_id = $1 order by v.created desc, v.id desc limit 1", flowId)
                .map(VERSIONS::first);
    }

    Future<Optional<Flows.VersionRef>> findLatestLocked(Tx tx, String flowId) {
        return tx.query(LAST_LOCKED, flowId).map(LOCKED::first);
    }

    private static Map<String, String> backupFilesOf(JsonNode stored) {
        var files = new HashMap<String, String>();
        stored.properties()
                .forEach(file -> files.put(file.getKey(), file.getValue().asText()));
        return files;
    }

    /** The column that {@link VersionRow#version} reads back; null when there is none. */
    private static ObjectNode backupFiles(FlowVersion version) {
        if (version.backupFiles() == null) {
            return null;
        }
        var files = Json.object();
        version.backupFiles().forEach(files::put);
        return files;
    }

    /** The column that {@link VersionRow#version} reads back. */
    private static String notes(FlowVersion version) {
        var notes = Json.array();
        version.notes().forEach(note -> notes.add(note.toJson()));
        return Json.text(notes);
    }

    private static List<Note> notesOf(JsonNode stored) {
        var notes = new ArrayList<Note>();
        stored.forEach(note -> notes.add(Note.stored(note)));
        return notes;
    }
}
