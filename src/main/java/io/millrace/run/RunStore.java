package io.millrace.run;

import io.millrace.persistence.Rows;
import io.millrace.persistence.Tx;
import io.millrace.persistence.Values;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Statements that carry runs: what their actors write, and what they go on with. Who owns them is {@link
 * RunOwnerStore}'s, and reading {@link RunQueryStore}'s.
 */
final class RunStore {
    private static final String ENDED_COLUMNS = """
            ended_run (id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
              fail_parent, triggered_by, flow_name, status, finish_time, updated, failed_step_name, failed_step_display_name,
              failed_step_message, tags, steps_count, log, fence, archived_at)
            """;

    /**
     * Fails as a whole when it is repeated after its answer was lost: to look for each run first, and to insert it in a
     * way that could be taken back, would cost every batch what only that one needs.
     */
    private static final String INSERT_ENDED = "insert into " + ENDED_COLUMNS + """
            select e.id, e.created, e.project_id, e.flow_id, e.flow_version_id, e.environment, e.start_time,
              e.parent_run_id, e.fail_parent, e.triggered_by, e.flow_name, e.status, e.finish_time, e.finish_time, e.failed_name,
              e.failed_display_name, e.failed_message, coalesce(string_to_array(e.tags, E'\\n'), '{}'), e.steps_count,
              e.log, 0, null
            from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[],
              $7::timestamptz[], $8::text[], $9::boolean[], $10::text[], $11::text[], $12::text[], $13::timestamptz[], $14::text[],
              $15::text[], $16::text[], $17::text[], $18::integer[], $19::bytea[])
              as e (id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
                fail_parent, triggered_by, flow_name, status, finish_time, failed_name, failed_display_name, failed_message, tags,
                steps_count, log)
            """;

    private static final String INSERT_MISSING_ENDED = INSERT_ENDED + " on conflict do nothing returning id";

    private static final String UNIQUE_VIOLATION = "23505";

    /** All writes of a batch, as parts of one statement. */
    private static final String WRITES = """
            with gone as (
              delete from run r using unnest($21::text[], $22::bigint[]) as w (id, fence)
              where r.id = w.id and r.fence = w.fence
              returning r.id, r.fence, r.archived_at
            ), gone_results as (
              delete from run_step s using gone where s.run_id = gone.id
            ), gone_waitpoints as (
              delete from waitpoint w using gone where w.run_id = gone.id
            ), ended as (
              insert into\s""" + ENDED_COLUMNS + """
              select e.id, e.created, e.project_id, e.flow_id, e.flow_version_id, e.environment, e.start_time,
                e.parent_run_id, e.fail_parent, e.triggered_by, e.flow_name, e.status, e.finish_time, e.finish_time, e.failed_name,
                e.failed_display_name, e.failed_message, coalesce(string_to_array(e.tags, E'\\n'), '{}'),
                e.steps_count, e.log, coalesce(g.fence, 0), g.archived_at
              from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[],
                $7::timestamptz[], $8::text[], $9::boolean[], $10::text[], $11::text[], $12::text[], $13::timestamptz[],
                $14::text[], $15::text[], $16::text[], $17::text[], $18::integer[], $19::bytea[], $20::boolean[])
                as e (id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
                  fail_parent, triggered_by, flow_name, status, finish_time, failed_name, failed_display_name, failed_message,
                  tags, steps_count, log, live)
                left join gone g on g.id = e.id
              where not e.live or g.id is not null
              on conflict do nothing
              returning id
            ), live as (
              insert into run (id, created, project_id, flow_id, flow_version_id, environment, start_time,
                parent_run_id, fail_parent, triggered_by, flow_name, tags, payload, owner, updated, status, fence)
              select l.id, l.created, l.project_id, l.flow_id, l.flow_version_id, l.environment, l.start_time,
                l.parent_run_id, l.fail_parent, l.triggered_by, l.flow_name, coalesce(string_to_array(l.tags, E'\\n'), '{}'),
                l.payload, l.owner, l.created, l.status, 0
              from unnest($23::text[], $24::timestamptz[], $25::text[], $26::text[], $27::text[], $28::text[],
                $29::timestamptz[], $30::text[], $31::boolean[], $32::text[], $33::text[], $34::text[], $35::bytea[], $36::text[],
                $42::text[])
                as l (id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
                  fail_parent, triggered_by, flow_name, tags, payload, owner, status)
              on conflict do nothing
              returning id
            ), held as (
              select r.id from run r join unnest($37::text[], $38::bigint[]) as w (id, fence)
                on r.id = w.id and r.fence = w.fence
              for update of r
            ), shown as (
              update run r set status = w.status, start_time = w.start_time, updated = now()
              from unnest($43::text[], $44::bigint[], $45::text[], $46::timestamptz[])
                as w (id, fence, status, start_time)
              where r.id = w.id and r.fence = w.fence
              returning r.id
            ), results as (
              insert into run_step (run_id, path, record)
              select s.run_id, s.path, s.record
              from unnest($39::text[], $40::text[], $41::bytea[]) as s (run_id, path, record)
              where s.run_id in (select id from live union all select id from held)
              on conflict (run_id, path) do update set record = excluded.record
            )
            """;

    private static final String WRITTEN = """
            select id from ended union all select id from live union all select id from held
            union all select id from shown
            """;

    /** Every write of a batch in one statement, so that it is one round trip and one commit. */
    private static final String WRITE_ALL = WRITES + WRITTEN;

    /** The same with answers, which are rare: they are kept only of runs that were started under a key. */
    private static final String WRITE_ALL_AND_ANSWERS = WRITES + """
            , answers as (
              update start_key k set answer = w.answer
              from unnest($47::text[], $48::bytea[]) as w (run_id, answer)
              where k.run_id = w.run_id and k.answer is null
                and w.run_id in (select id from held union all select id from ended)
            )
            """ + WRITTEN;

    /** What a new owner needs of a live run. */
    private static final String LIVE_COLUMNS = """
            id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id, fail_parent,
            triggered_by, flow_name, tags, payload, status, execute_trigger, fence, waitpoint_id, paused_path,
            exists (select from start_key k where k.run_id = run.id) as keyed
            """;

    /** Writes a batch, outside of any transaction; answers the ids of the runs whose write took effect. */
    Future<Set<String>> write(Tx tx, RunBatch batch) {
        return batch.hasOnlyEndedRuns()
                ? insertEnded(tx, batch)
                : tx.query(batch.hasAnswers() ? WRITE_ALL_AND_ANSWERS : WRITE_ALL, batch.allColumns())
                        .map(RunStore::ids);
    }

    private static Future<Set<String>> insertEnded(Tx tx, RunBatch batch) {
        return tx.query(INSERT_ENDED, batch.endedColumns(false))
                .map(_ -> batch.endedIds())
                .recover(failure -> isUniqueViolation(failure)
                        ? tx.query(INSERT_MISSING_ENDED, batch.endedColumns(false))
                                .map(RunStore::ids)
                        : Future.failedFuture(failure));
    }

    private static boolean isUniqueViolation(Throwable failure) {
        return failure instanceof PgException refused && UNIQUE_VIOLATION.equals(refused.getSqlState());
    }

    private static Set<String> ids(RowSet<Row> rows) {
        var ids = new HashSet<String>(rows.size() * 2);
        rows.forEach(row -> ids.add(row.getString(0)));
        return ids;
    }

    /**
     * Those of some runs that are there as this node wrote them: a batch may be repeated after its answer was lost.
     * What another owner has written since is not this node's.
     */
    Future<Set<String>> alreadyWritten(Tx tx, List<RunWrite> writes, String nodeId) {
        return tx.query(
                        """
                        select w.id from unnest($1::text[], $2::bigint[], $3::boolean[]) as w (id, fence, ends)
                        where w.ends and exists (select from ended_run e where e.id = w.id and e.fence = w.fence)
                          or not w.ends and exists (
                            select from run r where r.id = w.id and r.fence = w.fence and r.owner = $4)
                        """,
                        Values.texts(writes, RunWrite::runId),
                        Values.wholes(writes, RunWrite::fence),
                        Values.flags(writes, write -> !(write instanceof RunWrite.Insert)),
                        nodeId)
                .map(rows -> new HashSet<>(Rows.all(rows, row -> Rows.text(row, "id"))));
    }

    /** A live run as a new owner would get it; empty when there is none. */
    Future<Optional<StoredRun>> live(Tx tx, String runId) {
        return tx.query("select owner from run where id = $1", runId)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "owner")))
                .compose(owner -> owner.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : stored(tx, owner.get(), List.of(runId)).map(found -> found.stream()
                                .findFirst()));
    }

    /** The same without any of its values, for whom they may be too much. */
    Future<Optional<StoredRun>> header(Tx tx, String runId) {
        return tx.query("select " + LIVE_COLUMNS + " from run where id = $1", runId)
                .map(rows -> Rows.first(
                        rows, row -> new StoredRun(LiveRun.of(row), new byte[0], Map.of(), Optional.empty())));
    }

    /** Log of a live run as it was when the run paused last; empty when it never has. */
    Future<Optional<byte[]>> pausedLog(Tx tx, String runId) {
        return tx.query("select log from run where id = $1", runId)
                .map(rows ->
                        Rows.first(rows, row -> Rows.optionalBytes(row, "log")).flatMap(log -> log));
    }

    /** Of some runs that a node owns, as many of the first as do not take more than so much together; one at least. */
    Future<Chosen> choose(Tx tx, String nodeId, List<String> runIds, long bytesMax) {
        return tx.query("""
                        with sized as (
                          select r.id, w.place, octet_length(r.payload) + coalesce(
                            (select sum(octet_length(s.record)) from run_step s where s.run_id = r.id), 0) as bytes
                          from unnest($1::text[]) with ordinality as w (id, place) join run r on r.id = w.id
                          where r.owner = $2)
                        select id, sum(bytes) over (order by place) - bytes < $3 or place = min(place) over () as fits
                        from sized order by place
                        """, Values.texts(runIds), nodeId, bytesMax).map(rows -> {
            var chosen = new Chosen(new ArrayList<>(), new ArrayList<>());
            rows.forEach(row ->
                    (Rows.flag(row, "fits") ? chosen.now() : chosen.later()).add(Rows.text(row, "id")));
            return chosen;
        });
    }

    /**
     * Runs that are to be read.
     *
     * @param later those that would be too much at once
     */
    record Chosen(List<String> now, List<String> later) {}

    /** Runs of a node as a new owner gets them; those that it does not own any more are left out. */
    Future<List<StoredRun>> stored(Tx tx, String nodeId, List<String> runIds) {
        var ids = Values.texts(runIds);
        var completed = tx.query("""
                        select r.id, r.paused_path as path, w.id as waitpoint_id, w.resume_payload, w.expired
                        from run r join waitpoint w on w.id = r.waitpoint_id
                        where r.id = any($1) and w.status = 'COMPLETED'
                        """, (Object) ids);
        var results =
                tx.query("select run_id as id, path, record from run_step where run_id = any($1)", (Object) ids);
        var runs = tx.query("select " + LIVE_COLUMNS + " from run where id = any($1) and owner = $2", ids, nodeId);
        return Future.all(runs, results, completed)
                .map(_ -> StoredRun.of(runs.result(), results.result(), completed.result()));
    }

    /** What a run is from its birth on. */
    static RunWrite.Birth birth(Row row) {
        return new RunWrite.Birth(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.text(row, "project_id"),
                Rows.text(row, "flow_id"),
                Rows.text(row, "flow_version_id"),
                Rows.option(row, "environment", Environment.class),
                Rows.optionalInstant(row, "start_time").orElse(null),
                Rows.optionalText(row, "parent_run_id").orElse(null),
                Rows.flag(row, "fail_parent"),
                Rows.optionalText(row, "triggered_by").orElse(null),
                Rows.optionalText(row, "flow_name").orElse(null));
    }
}
