package io.millrace.piece.file;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class FileStore {
    private static final String INSERT = """
            insert into file (id, created, expires, project_id, type, file_name, content_type, size,
              metadata, data, s3_key, location)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
              case when $11::text is null then 'DB' else 'S3' end)
            """;
    private static final String UPLOAD = INSERT + """
            on conflict (id) do update set expires = excluded.expires, file_name = excluded.file_name,
              content_type = excluded.content_type, size = excluded.size, data = excluded.data,
              s3_key = excluded.s3_key, location = excluded.location
            where file.project_id = excluded.project_id and file.type = excluded.type
              and file.metadata @> '{"uploaded": true}'
            """;

    private static final String INSERT_ONCE = INSERT + "on conflict (id) do nothing";

    private static final String FILE_COLUMNS = """
            id, created, expires, project_id, type, file_name, content_type, size, metadata::text as metadata, data
            """;

    private static final String OF_FLOWS = "select " + FILE_COLUMNS + """
            from file where id = any($1) and project_id = $2
              and type in ('TRIGGER_EVENT_FILE', 'SAMPLE_DATA', 'SAMPLE_DATA_INPUT', 'FLOW_VERSION_BACKUP')
            """;

    private static final RowMapper<FileMessages.Content> CONTENTS = RowMapper.of(FileMessages.Content.class, OF_FLOWS);

    private static final String FIND = "select " + FILE_COLUMNS + """
            , s3_key as object_key from file where id = $1 and (expires is null or expires > $2)
            """;

    private static final RowMapper<FileMessages.FileLocation> LOCATIONS =
            RowMapper.of(FileMessages.FileLocation.class, FIND);

    /**
     * Safe to repeat.
     *
     * @param data null when the bytes are in the object storage
     * @param objectKey null when they are not
     */
    Future<Void> insert(Tx tx, StoredFile file, Buffer data, String objectKey) {
        return write(tx, INSERT_ONCE, file, data, objectKey).mapEmpty();
    }

    /** Returns whether an id belongs to a file that {@link #upload} would not replace. */
    Future<Boolean> isTaken(Tx tx, StoredFile file) {
        return tx.query("""
                        select 1 from file where id = $1 and not (project_id = $2 and type = $3
                          and metadata @> '{"uploaded": true}')
                        """, file.id(), file.projectId(), file.type()).map(rows -> rows.rowCount() > 0);
    }

    /**
     * Inserts an uploaded file, or replaces an upload of the same project under the id. Returns false if the id belongs
     * to a file of the server, which uploads must not change.
     */
    Future<Boolean> upload(Tx tx, StoredFile file, Buffer data, String objectKey) {
        return write(tx, UPLOAD, file, data, objectKey).map(rows -> rows.rowCount() == 1);
    }

    private static Future<RowSet<Row>> write(Tx tx, String sql, StoredFile file, Buffer data, String objectKey) {
        return tx.query(
                sql,
                file.id(),
                file.created(),
                file.expires(),
                file.projectId(),
                file.type(),
                file.fileName(),
                file.contentType(),
                file.size(),
                file.metadata(),
                data,
                objectKey);
    }

    Future<Void> put(Tx tx, StoredFile file, Buffer data) {
        return tx.query(
                        """
                        insert into file (id, created, project_id, type, file_name, content_type, size, metadata, data, expires)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                        on conflict (id) do update set file_name = excluded.file_name,
                          content_type = excluded.content_type, size = excluded.size, metadata = excluded.metadata,
                          data = excluded.data
                        """,
                        file.id(),
                        file.created(),
                        file.projectId(),
                        file.type(),
                        file.fileName(),
                        file.contentType(),
                        file.size(),
                        file.metadata(),
                        data,
                        file.expires().orElse(null))
                .mapEmpty();
    }

    Future<List<FileMessages.Content>> findOfFlows(Tx tx, String projectId, List<String> ids) {
        return tx.query(OF_FLOWS, ids.toArray(String[]::new), projectId).map(CONTENTS::all);
    }

    Future<Optional<Buffer>> findSnapshot(Tx tx, String projectId, String id) {
        return tx.query(
                        "select data from file where id = $1 and project_id = $2 and type = 'PROJECT_RELEASE'",
                        id,
                        projectId)
                .map(rows -> Rows.first(rows, row -> Rows.buffer(row, "data")));
    }

    /** Converts a file of a step into a permanent document; returns whether the file exists. */
    Future<Boolean> adopt(Tx tx, String projectId, String id) {
        return tx.query("""
                        update file set type = 'KNOWLEDGE_BASE', expires = null
                         where id = $1 and project_id = $2 and type in ('FLOW_STEP_FILE', 'KNOWLEDGE_BASE')
                        """, id, projectId).map(rows -> rows.rowCount() == 1);
    }

    Future<Void> deleteDocument(Tx tx, String projectId, String id) {
        return tx.query("delete from file where id = $1 and project_id = $2 and type = 'KNOWLEDGE_BASE'", id, projectId)
                .mapEmpty();
    }

    Future<Void> deleteOfFlow(Tx tx, String flowId) {
        return tx.query("""
                        delete from file where metadata ->> 'flowId' = $1
                          and type in ('TRIGGER_EVENT_FILE', 'SAMPLE_DATA', 'SAMPLE_DATA_INPUT', 'FLOW_VERSION_BACKUP')
                        """, flowId).mapEmpty();
    }

    Future<Optional<FileMessages.FileLocation>> find(Tx tx, String id, Instant now) {
        return tx.query(FIND, id, now).map(LOCATIONS::first);
    }

    /** Keys of objects without a file. */
    Future<List<String>> findLeftovers(Tx tx, int most) {
        return tx.query("select s3_key from file_leftover order by created, s3_key limit $1", (long) most)
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "s3_key")));
    }

    /** Moves them to the end of the list. */
    Future<Void> postponeLeftovers(Tx tx, List<String> keys) {
        return tx.query("update file_leftover set created = clock_timestamp() where s3_key = any($1)", (Object)
                        keys.toArray(String[]::new))
                .mapEmpty();
    }

    Future<Void> deleteLeftovers(Tx tx, List<String> keys) {
        return tx.query("delete from file_leftover where s3_key = any($1)", (Object) keys.toArray(String[]::new))
                .mapEmpty();
    }

    /** Concurrent nodes do not wait for each other. */
    Future<Integer> deleteExpired(Tx tx, Instant now, int most) {
        return tx.query("""
                        delete from file where id in (
                          select id from file where expires <= $1 order by expires limit $2 for update skip locked)
                        """, now, (long) most).map(rows -> rows.rowCount());
    }
}
