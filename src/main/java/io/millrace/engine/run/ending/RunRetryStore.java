package io.millrace.engine.run.ending;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.machine.LiveStatus;
import io.millrace.engine.run.store.RunQueryStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Statements that reopen ended runs. The only ones that take a row out of {@code ended_run}. */
final class RunRetryStore {
    private static final String LEFT =
            "select e.fence, e.log, " + RunQueryStore.DICTIONARY_OF_E + " from ended_run e where e.id = $1";

    private static final RowMapper<FencedLog> LEFT_RUNS = RowMapper.of(LeftRow.class, LEFT)
            .as(row -> new FencedLog(row.fence(), row.log().unpacked()));

    private record LeftRow(long fence, @Unprefixed RunQueryStore.KeptLog log) {}

    /**
     * Stored data of an ended run.
     *
     * @param fence its last ownership, which changes with each retry
     * @param log empty when it has been removed
     */
    record FencedLog(long fence, Optional<Buffer> log) {}

    Future<Optional<FencedLog>> left(Tx tx, String runId) {
        return tx.query(LEFT, runId).map(LEFT_RUNS::first);
    }

    /**
     * Makes an ended run live again, owned by a node and with a fence above all earlier ones. False when another caller
     * has reopened it meanwhile. Its end becomes an attempt.
     *
     * @param retriedBy user who requested the retry, or null
     */
    Future<Boolean> reopen(
            Tx tx,
            LiveStatus status,
            String runId,
            long fence,
            Instant now,
            String nodeId,
            RetryInput reopened,
            String retriedBy) {
        var columns = Values.tuple(
                runId,
                now,
                nodeId,
                reopened.payload(),
                reopened.executeTrigger(),
                fence,
                status.name(),
                retriedBy,
                reopened.unprepared());
        return tx.query("""
                        with ended as (delete from ended_run where id = $1 and fence = $6 returning *),
                        attempt as (
                          insert into run_attempt (run_id, created, attempt_run_id, status, start_time, finish_time,
                            failed_step_name, failed_step_display_name, failed_step_message, retried_at, retried_by)
                          select id, created, id, status, start_time, finish_time,
                            failed_step_name, failed_step_display_name, failed_step_message, $2, $8
                          from ended)
                        insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                          start_time, parent_run_id, fail_parent, parent_waitpoint, triggered_by, flow_name, tags,
                          archived_at, fence, owner, payload, execute_trigger, unprepared)
                        select id, created, $2, project_id, flow_id, flow_version_id, environment, $7, $2,
                          parent_run_id, fail_parent, parent_waitpoint, triggered_by, flow_name, tags,
                          archived_at, fence + 1, $3, $4, $5, $9
                        from ended
                        """, columns)
                .compose(rows -> rows.rowCount() == 1
                        ? insertResults(tx, runId, reopened.results()).map(true)
                        : Future.succeededFuture(false));
    }

    private static Future<Void> insertResults(Tx tx, String runId, List<RunWrite.StepResult> results) {
        if (results.isEmpty()) {
            return Future.succeededFuture();
        }
        var columns = Tuple.tuple()
                .addString(runId)
                .addArrayOfString(Values.texts(results, RunWrite.StepResult::path))
                .addValue(Values.buffers(results, RunWrite.StepResult::record));
        return tx.query("""
                        insert into run_step (run_id, path, record)
                        select $1, s.path, s.record from unnest($2::text[], $3::bytea[]) as s (path, record)
                        """, columns).mapEmpty();
    }

    /**
     * Stores the output of the trigger, so that it is not executed again; it prepares the run next. False when the run
     * has another owner.
     */
    Future<Boolean> keepTriggered(Tx tx, RunTriggered triggered) {
        return tx.query("""
                        update run set payload = $3, execute_trigger = false, unprepared = true
                        where id = $1 and fence = $2
                        """, triggered.runId(), triggered.fence(), triggered.payload())
                .map(rows -> rows.rowCount() == 1);
    }

    /**
     * Records that the trigger has prepared the run, so that it is not prepared again; no effect when it has another
     * owner.
     */
    Future<Void> keepPrepared(Tx tx, RunPrepared prepared) {
        return tx.query(
                        "update run set unprepared = false where id = $1 and fence = $2",
                        prepared.runId(),
                        prepared.fence())
                .mapEmpty();
    }
}
