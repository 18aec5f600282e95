package io.millrace.engine.run.store;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.RunReplay;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.RecordText;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

public final class LiveRunStore {
    private static final String LIVE = """
            select id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
              fail_parent as fail_parent_on_failure, parent_waitpoint, triggered_by, flow_name, traceparent, tags, payload, status,
              execute_trigger, unprepared, fence, exists (select from start_key k where k.run_id = run.id) as keyed,
              (select p.spec from run_replay p where p.run_id = run.id) as replay
            from run
            """;

    private static final RowMapper<LiveRow> LIVE_ROWS = RowMapper.of(LiveRow.class, LIVE);

    private static final String RESULTS_OF = "select run_id, path, record from run_step where run_id = any($1)";

    private static final RowMapper<ResultRow> RESULTS = RowMapper.of(ResultRow.class, RESULTS_OF);

    private static final String COMPLETED = """
            select r.id as run_id, r.paused_path as path, w.id as waitpoint_id, w.resume_payload as payload, w.expired
            from run r join waitpoint w on w.id = r.waitpoint_id
            where r.id = any($1) and w.status = 'COMPLETED'
            """;

    private static final RowMapper<CompletionRow> COMPLETIONS = RowMapper.of(CompletionRow.class, COMPLETED);

    private static final String LAST_PAUSE = """
            select log, coalesce(waitpoint_id, '') as waitpoint_id, coalesce(paused_path, '') as path
              from run where id = $1 and log is not null
            """;

    private static final RowMapper<LastPause> LAST_PAUSES = RowMapper.of(LastPause.class, LAST_PAUSE);

    private static final String PAUSED_AT = """
            select waitpoint_id, paused_path as path from run
             where id = $1 and status = 'PAUSED' and waitpoint_id is not null and paused_path is not null
            """;

    private static final RowMapper<PausedAt> PAUSES = RowMapper.of(PausedAt.class, PAUSED_AT);

    private static final String CHOOSE = """
            with sized as (
              select r.id, w.place, octet_length(r.payload) + coalesce(
                (select sum(octet_length(s.record)) from run_step s where s.run_id = r.id), 0) as bytes
              from unnest($1::text[]) with ordinality as w (id, place) join run r on r.id = w.id
              where r.owner = $2)
            select id, sum(bytes) over (order by place) - bytes < $3 or place = min(place) over () as fits
            from sized order by place
            """;

    private static final RowMapper<SizedRun> SIZED_RUNS = RowMapper.of(SizedRun.class, CHOOSE);

    private record SizedRun(String id, boolean fits) {}

    private record LiveRow(
            @Unprefixed RunWrite.RunHeader header,
            RunStatus status,
            long fence,
            @Unprefixed RunSnapshot.StartFlags flags,
            List<String> tags,
            Optional<Buffer> replay,
            Buffer payload) {
        RunSnapshot run() {
            return new RunSnapshot(
                    header,
                    status,
                    fence,
                    MissingNode.getInstance(),
                    new RunSnapshot.StartFlags(flags.executeTrigger(), flags.unprepared(), flags.keyed()),
                    tags,
                    new RunSnapshot.RecordedState(
                            Map.of(),
                            null,
                            replay.map(spec -> RunReplay.read(RecordText.read(spec.getBytes())))
                                    .orElse(null)));
        }
    }

    private record ResultRow(String runId, String path, Buffer record) {}

    private record CompletionRow(String runId, @Unprefixed StoredRun.CompletedWaitpoint completed) {}

    public Future<Optional<StoredRun>> live(Tx tx, String runId) {
        return tx.query("select owner from run where id = $1", runId)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "owner")))
                .compose(owner -> owner.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : stored(tx, owner.get(), List.of(runId))
                                .map(found -> found.stream().findFirst()));
    }

    /** A live run without its values, which may be too large to read. */
    public Future<Optional<StoredRun>> header(Tx tx, String runId) {
        return tx.query(LIVE + " where id = $1", runId)
                .map(rows -> LIVE_ROWS
                        .first(rows)
                        .map(row -> new StoredRun(row.run(), Buffer.buffer(), Map.of(), Optional.empty())));
    }

    /** Log of a live run at its last pause; empty when it never paused. */
    public Future<Optional<byte[]>> pausedLog(Tx tx, String runId) {
        return lastPause(tx, runId).map(pause -> pause.map(last -> last.log().getBytes()));
    }

    record LastPause(Buffer log, String waitpointId, String path) {}

    Future<Optional<LastPause>> lastPause(Tx tx, String runId) {
        return tx.query(LAST_PAUSE, runId).map(LAST_PAUSES::first);
    }

    record PausedAt(String waitpointId, String path) {}

    Future<Optional<PausedAt>> pausedAt(Tx tx, String runId) {
        return tx.query(PAUSED_AT, runId).map(PAUSES::first);
    }

    /** Selects the first of some owned runs up to a total size; one at least. */
    Future<ReadSelection> choose(Tx tx, String nodeId, List<String> runIds, long bytesMax) {
        return tx.query(CHOOSE, Values.texts(runIds), nodeId, bytesMax).map(rows -> {
            var chosen = new ReadSelection(new ArrayList<>(), new ArrayList<>());
            SIZED_RUNS.all(rows).forEach(run -> (run.fits() ? chosen.now() : chosen.later()).add(run.id()));
            return chosen;
        });
    }

    /**
     * Runs that are to be read.
     *
     * @param later ids that exceed the size of one read
     */
    record ReadSelection(List<String> now, List<String> later) {}

    /** Runs that the node no longer owns are left out. */
    Future<List<StoredRun>> stored(Tx tx, String nodeId, List<String> runIds) {
        var ids = Values.texts(runIds);
        var completed = tx.query(COMPLETED, (Object) ids);
        var results = tx.query(RESULTS_OF, (Object) ids);
        var runs = tx.query(LIVE + " where id = any($1) and owner = $2", ids, nodeId);
        return Future.all(runs, results, completed).map(_ -> of(runs.result(), results.result(), completed.result()));
    }

    private static List<StoredRun> of(RowSet<Row> runs, RowSet<Row> results, RowSet<Row> completions) {
        var records = new HashMap<String, Map<String, Buffer>>();
        RESULTS.all(results)
                .forEach(row -> records.computeIfAbsent(row.runId(), _ -> new LinkedHashMap<>())
                        .put(row.path(), row.record()));
        var completed = new HashMap<String, StoredRun.CompletedWaitpoint>();
        COMPLETIONS.all(completions).forEach(row -> completed.put(row.runId(), row.completed()));
        var stored = new ArrayList<StoredRun>();
        LIVE_ROWS
                .all(runs)
                .forEach(row -> stored.add(new StoredRun(
                        row.run(),
                        row.payload(),
                        records.getOrDefault(row.header().id(), Map.of()),
                        Optional.ofNullable(completed.get(row.header().id())))));
        return stored;
    }
}
