package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.LiveStatus;
import io.millrace.engine.trigger.RunIntake;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

final class RunIngestStore {
    /** Seconds during which a second item with the same key is dropped (contract flows-and-engine 18.6). */
    private static final int WINDOW_SECONDS = 30;

    private static final String TAKE_KEYS = """
            insert into run_dedupe (flow_version_id, key, seen)
            select distinct k.flow_version_id, k.key, $3::timestamptz
            from unnest($1::text[], $2::text[]) as k (flow_version_id, key)
            order by 1, 2
            on conflict do nothing returning flow_version_id, key as text
            """;

    private static final String TAKE_BACKLOG = """
            delete from run_backlog
            where id = (select b.id from run_backlog b order by b.id limit 1 for update skip locked)
            returning project_id, flow_id, flow_version_id, flow_name, items
            """;

    private static final RowMapper<BacklogPart> BACKLOG = RowMapper.of(BacklogPart.class, TAKE_BACKLOG);

    private static final RowMapper<DedupeKey> KEYS = RowMapper.of(DedupeKey.class, TAKE_KEYS);

    /**
     * Claims keys for the window; returns the free ones. All transactions insert in the same order, and the removal of
     * old keys skips locked rows, which prevents deadlocks.
     */
    Future<Set<DedupeKey>> takeKeys(Tx tx, Collection<DedupeKey> keys, Instant now) {
        var end = now.minus(WINDOW_SECONDS, ChronoUnit.SECONDS);
        return tx.query("""
                        delete from run_dedupe where ctid = any(array(
                          select ctid from run_dedupe where seen < $1 for update skip locked))
                        """, end)
                .compose(_ -> tx.query(
                        TAKE_KEYS,
                        Values.texts(keys, DedupeKey::flowVersionId),
                        Values.texts(keys, DedupeKey::text),
                        now))
                .map(rows -> new HashSet<>(KEYS.all(rows)));
    }

    /** A row of the backlog. */
    record BacklogPart(@Unprefixed RunIntake.Target target, Buffer items) {
        List<JsonNode> values() {
            return RecordText.read(items.getBytes()).valueStream().toList();
        }
    }

    Future<Void> insertBacklog(Tx tx, RunIntake.Target target, Buffer items) {
        return tx.query("""
                        insert into run_backlog (project_id, flow_id, flow_version_id, flow_name, items)
                        values ($1, $2, $3, $4, $5)
                        """, target.projectId(), target.flowId(), target.flowVersionId(), target.flowName(), items)
                .mapEmpty();
    }

    /** Removes the oldest part of the backlog that no other transaction has locked. */
    Future<Optional<BacklogPart>> takeBacklog(Tx tx) {
        return tx.query(TAKE_BACKLOG).map(BACKLOG::first);
    }

    /** Inserts runs without an owner that their trigger has not prepared. */
    Future<Void> insert(Tx tx, LiveStatus status, List<IngestedRun> runs) {
        var tuple = Tuple.tuple();
        tuple.addArrayOfString(Values.texts(runs, run -> run.header().id()));
        tuple.addArrayOfOffsetDateTime(Values.instants(runs, run -> run.header().created()));
        tuple.addArrayOfString(Values.texts(runs, run -> run.header().projectId()));
        tuple.addArrayOfString(Values.texts(runs, run -> run.header().flow().flowId()));
        tuple.addArrayOfString(Values.texts(runs, run -> run.header().flow().flowVersionId()));
        tuple.addArrayOfString(
                Values.texts(runs, run -> run.header().environment().name()));
        tuple.addArrayOfBoolean(Values.flags(runs, run -> run.header().origin().failParentOnFailure()));
        tuple.addArrayOfString(Values.texts(runs, run -> run.header().flowName()));
        tuple.addValue(Values.buffers(runs, IngestedRun::payload));
        tuple.addString(status.name());
        tuple.addArrayOfString(Values.texts(runs, run -> run.header().origin().parentRunId()));
        tuple.addArrayOfString(Values.texts(runs, run -> run.header().origin().traceparent()));
        tuple.addArrayOfString(Values.texts(runs, run -> run.header().origin().parentWaitpoint()));
        return tx.query("""
                        insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment,
                          status, parent_run_id, fail_parent, flow_name, tags, payload, owner, fence, traceparent, unprepared,
                          parent_waitpoint)
                        select r.id, r.created, r.created, r.project_id, r.flow_id, r.flow_version_id, r.environment,
                          $10, r.parent_run_id, r.fail_parent, r.flow_name, '{}', r.payload, '', 0, r.traceparent, true,
                          r.parent_waitpoint
                        from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[],
                          $7::boolean[], $8::text[], $9::bytea[], $11::text[], $12::text[], $13::text[])
                          as r (id, created, project_id, flow_id, flow_version_id, environment, fail_parent, flow_name,
                            payload, parent_run_id, traceparent, parent_waitpoint)
                        """, tuple).mapEmpty();
    }
}
