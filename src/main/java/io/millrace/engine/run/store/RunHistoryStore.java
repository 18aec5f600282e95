package io.millrace.engine.run.store;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.RunStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Statements that read the logs of ended runs of one flow in batches, newest first. */
public final class RunHistoryStore {
    /**
     * A batch ends after a number of runs, or before its logs exceed a size. Dictionaries are read separately. The key
     * is the only upper bound: with a second bound, PostgreSQL may start each index scan there and read all earlier
     * batches again.
     */
    private static final String BATCH = """
            select p.id, p.created, p.flow_version_id, p.status, p.start_time, p.bytes,
              case when p.bytes <= $8 then p.log end as log
            from (
              select e.*, sum(least(e.bytes, $8)) over (order by e.created desc, e.id desc) as bytes_so_far
              from (
                select id, created, flow_version_id, status, start_time, log, coalesce(octet_length(log), 0)::bigint as bytes
                from ended_run
                where flow_id = $1 and environment = 'PRODUCTION' and archived_at is null
                  and (cardinality($2::text[]) = 0 or status = any($2))
                  and created >= $3 and (created, id) < ($4, $5)
                order by created desc, id desc limit $6) e) p
            where p.bytes_so_far - least(p.bytes, $8) < $7
            order by p.created desc, p.id desc
            """;

    private static final RowMapper<PastRun> RUNS = RowMapper.of(PastRun.class, BATCH);

    private static final String DICTIONARIES =
            "select flow_version_id, text from log_dictionary where flow_version_id = any($1)";

    private static final RowMapper<Dictionary> DICTIONARY_ROWS = RowMapper.of(Dictionary.class, DICTIONARIES);

    private record Dictionary(String flowVersionId, Buffer text) {}

    /**
     * An ended run with its packed log.
     *
     * @param bytes stored size of the log
     * @param log empty when it has been removed, or is larger than the limit of the request
     */
    public record PastRun(
            String id,
            Instant created,
            String flowVersionId,
            RunStatus status,
            Optional<Instant> startTime,
            long bytes,
            Optional<Buffer> log) {}

    /**
     * Extent of a batch.
     *
     * @param statuses empty for all
     * @param before key of the last run of the batch before; for the first batch a time (exclusive) and an empty id
     * @param bytesMax stored size of all logs of a batch; the first run is always part of it
     * @param logBytesMax stored size of one log
     */
    public record Extent(
            String flowId,
            List<RunStatus> statuses,
            Instant createdFrom,
            Key before,
            int limit,
            long bytesMax,
            long logBytesMax) {}

    public record Key(Instant created, String id) {}

    public Future<List<PastRun>> batch(Tx tx, Extent extent) {
        return tx.query(
                        BATCH,
                        extent.flowId(),
                        Values.texts(extent.statuses(), RunStatus::name),
                        extent.createdFrom(),
                        extent.before().created(),
                        extent.before().id(),
                        extent.limit(),
                        extent.bytesMax(),
                        extent.logBytesMax())
                .map(RUNS::all);
    }

    public Future<Map<String, Buffer>> dictionaries(Tx tx, Collection<String> versionIds) {
        return tx.query(DICTIONARIES, (Object) Values.texts(versionIds)).map(rows -> {
            var texts = new HashMap<String, Buffer>();
            DICTIONARY_ROWS.all(rows).forEach(row -> texts.put(row.flowVersionId(), row.text()));
            return texts;
        });
    }
}
