package io.millrace.piece.file;

import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class SliceStore {
    private static final String FIND = """
            select data, s3_key as object_key from file
             where id = $1 and project_id = $2 and type = 'FLOW_RUN_LOG_SLICE'
            """;

    private static final RowMapper<SliceLocation> LOCATIONS = RowMapper.of(SliceLocation.class, FIND);

    /**
     * Location of a slice's bytes.
     *
     * @param data null when they are in the object storage
     */
    record SliceLocation(@Nullable Buffer data, Optional<String> objectKey) {}

    static String keyOf(FileMessages.KeepSlice slice) {
        return FileStorage.keyOf(slice.projectId(), FileType.FLOW_RUN_LOG_SLICE, slice.fileId());
    }

    /**
     * Inserts slices; existing ones remain unchanged.
     *
     * @param external true if the bytes are in the object storage
     */
    Future<Void> insert(Tx tx, List<FileMessages.KeepSlice> slices, boolean external, Instant now) {
        return tx.query(
                        """
                        insert into file (id, created, expires, project_id, type, file_name, content_type, size,
                          metadata, data, s3_key, location)
                        select s.id, $7, s.expires, s.project_id, 'FLOW_RUN_LOG_SLICE', 'output.json',
                          'application/json', s.size, jsonb_build_object('flowRunId', s.run_id), s.data,
                          s.s3_key, case when s.s3_key is null then 'DB' else 'S3' end
                        from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bigint[], $6::bytea[],
                          $8::text[]) as s (id, project_id, run_id, expires, size, data, s3_key)
                        on conflict (id) do nothing
                        """,
                        Values.texts(slices, FileMessages.KeepSlice::fileId),
                        Values.texts(slices, FileMessages.KeepSlice::projectId),
                        Values.texts(slices, FileMessages.KeepSlice::runId),
                        Values.instants(slices, FileMessages.KeepSlice::expires),
                        Values.wholes(slices, FileMessages.KeepSlice::size),
                        slices.stream()
                                .map(slice -> external ? null : slice.data())
                                .toArray(Buffer[]::new),
                        now,
                        slices.stream()
                                .map(slice -> external ? keyOf(slice) : null)
                                .toArray(String[]::new))
                .mapEmpty();
    }

    /** Bytes of a slice of a project, also after its expiry until it is deleted. */
    Future<Optional<SliceLocation>> find(Tx tx, String projectId, String id) {
        return tx.query(FIND, id, projectId).map(LOCATIONS::first);
    }

    Future<List<String>> missing(Tx tx, String projectId, List<String> ids) {
        return tx.query("""
                        select wanted.id from unnest($1::text[]) as wanted (id) where not exists (
                          select from file f
                          where f.id = wanted.id and f.project_id = $2 and f.type = 'FLOW_RUN_LOG_SLICE')
                        """, ids.toArray(String[]::new), projectId)
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }
}
