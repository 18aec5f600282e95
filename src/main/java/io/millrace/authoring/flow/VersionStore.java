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
import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Statements of versions of flows. */
public final class VersionStore {
    /**
     * Columns of a version with the table alias {@code v}; named so that they can be combined with the columns of its
     * flow.
     */
    static final String COLUMNS = """
            v.id as version_id, v.created as version_created, v.updated as version_updated, v.flow_id, v.display_name,
            v.trigger, v.updated_by, v.valid, v.schema_version, v.agent_ids, v.connection_ids, v.state, v.notes,
            v.backup_files::text as backup_files
            """;

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

    /**
     * A version in an older schema as stored in its row.
     *
     * @param trigger JSON of the steps
     */
    record Old(Buffer trigger) {}

    /** Locks and reads the steps of a version until the transaction ends; empty when it has the current schema. */
    Future<Optional<Old>> lockOld(Tx tx, String versionId) {
        return tx.query("""
                        select trigger from flow_version
                         where id = $1 and schema_version is distinct from $2 for update
                        """, versionId, FlowVersion.SCHEMA_VERSION)
                .map(rows -> Rows.first(rows, row -> new Old(Rows.buffer(row, "trigger"))));
    }

    public Future<Optional<FlowVersion>> find(Tx tx, String versionId) {
        return tx.query("select " + COLUMNS + " from flow_version v where v.id = $1", versionId)
                .map(rows -> Rows.first(rows, VersionStore::version));
    }

    Future<Optional<FlowVersion>> findLatest(Tx tx, String flowId) {
        return tx.query(
                        "select " + COLUMNS
                                + " from flow_version v where v.flow_id = $1 order by v.created desc, v.id desc limit 1",
                        flowId)
                .map(rows -> Rows.first(rows, VersionStore::version));
    }

    Future<Optional<Flows.VersionRef>> findLatestLocked(Tx tx, String flowId) {
        return tx.query("""
                        select id, updated from flow_version where flow_id = $1 and state = 'LOCKED'
                        order by created desc, id desc limit 1
                        """, flowId)
                .map(rows -> Rows.first(
                        rows, row -> new Flows.VersionRef(Rows.text(row, "id"), Rows.instant(row, "updated"))));
    }

    /** The version of a row that has {@link #COLUMNS}. */
    static FlowVersion version(Row row) {
        return new FlowVersion(
                Rows.text(row, "version_id"),
                Rows.instant(row, "version_created"),
                Rows.instant(row, "version_updated"),
                Rows.text(row, "flow_id"),
                Rows.text(row, "display_name"),
                steps(row),
                Rows.optionalText(row, "updated_by").orElse(null),
                Rows.flag(row, "valid"),
                Rows.optionalText(row, "schema_version").orElse(null),
                Rows.texts(row, "agent_ids"),
                Rows.texts(row, "connection_ids"),
                Rows.option(row, "state", VersionState.class),
                Rows.optionalJson(row, "backup_files")
                        .map(VersionStore::backupFilesOf)
                        .orElse(null),
                notesOf(Rows.json(row, "notes")));
    }

    /** Reads the steps and migrates them to the current schema, regardless of the release that wrote them. */
    private static StepTree steps(Row row) {
        var migration =
                new TreeMigration(Rows.optionalText(row, "schema_version").orElse(null));
        var date = Json.timestamp(Rows.instant(row, "version_updated"));
        return StepTree.stored(DeepJson.trusted(Rows.bytes(row, "trigger")), migration, date);
    }

    private static Map<String, String> backupFilesOf(JsonNode stored) {
        var files = new HashMap<String, String>();
        stored.properties()
                .forEach(file -> files.put(file.getKey(), file.getValue().asText()));
        return files;
    }

    /** The column that {@link #version} reads back; null when there is none. */
    private static ObjectNode backupFiles(FlowVersion version) {
        if (version.backupFiles() == null) {
            return null;
        }
        var files = Json.object();
        version.backupFiles().forEach(files::put);
        return files;
    }

    /** The column that {@link #version} reads back. */
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
