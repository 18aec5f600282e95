package io.millrace.engine.run.start;

import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.AnswerText;
import io.millrace.engine.run.machine.LiveStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

public final class StartKeyStore {
    /** Keys and runs in one statement, so that both exist or neither. An expired key is taken over. */
    private static final String CLAIM = """
            with taken as (
              insert into start_key as k (flow_id, environment, key, run_id, run_created, call_id, expires)
              select c.flow_id, c.environment, c.key, c.run_id, c.run_created, c.call_id, c.expires
              from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::text[],
                $7::timestamptz[]) as c (flow_id, environment, key, run_id, run_created, call_id, expires)
              on conflict (flow_id, environment, key) do update
                set run_id = excluded.run_id, run_created = excluded.run_created, call_id = excluded.call_id,
                  expires = excluded.expires, answer = null
                where k.expires <= $8
              returning run_id
            ), born as (
              insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment, start_time,
                status, parent_run_id, fail_parent, triggered_by, flow_name, tags, payload, owner, fence, traceparent,
                execute_trigger, unprepared, parent_waitpoint)
              select r.id, r.created, r.created, r.project_id, r.flow_id, r.flow_version_id, r.environment, r.start_time,
                $23, r.parent_run_id, r.fail_parent, r.triggered_by, r.flow_name, '{}', r.payload, $22, 0,
                r.traceparent, r.execute_trigger, r.unprepared, r.parent_waitpoint
              from unnest($9::text[], $10::text[], $11::timestamptz[], $12::text[], $13::text[], $14::text[],
                $15::text[], $16::timestamptz[], $17::text[], $18::boolean[], $19::text[], $20::text[], $21::bytea[],
                $24::text[], $25::boolean[], $26::boolean[], $27::text[])
                as r (first, id, created, project_id, flow_id, flow_version_id, environment, start_time, parent_run_id,
                  fail_parent, triggered_by, flow_name, payload, traceparent, execute_trigger, unprepared,
                  parent_waitpoint)
              where r.first in (select run_id from taken)
            )
            select run_id from taken
            """;

    private static final String FIND = """
            select k.flow_id, k.environment, k.key as text, k.run_id, k.call_id, k.answer, e.status,
              exists (select from run r where r.id = k.run_id) as live
            from unnest($1::text[], $2::text[], $3::text[]) as w (flow_id, environment, key)
              join start_key k using (flow_id, environment, key)
              left join ended_run e on e.id = k.run_id and e.created = k.run_created
            where k.expires > $4
            """;

    private static final RowMapper<KeyHolder> HOLDERS = RowMapper.of(KeyHolder.class, FIND);

    private record KeyHolder(
            @Unprefixed StartKey key,
            String runId,
            @Nullable String callId,
            Optional<Buffer> answer,
            Optional<RunStatus> status,
            boolean live) {
        StartKeys.First first() {
            return new StartKeys.First(
                    runId, callId, answer.map(text -> AnswerText.read(text.getBytes())), status, live);
        }
    }

    private record Born(String first, StartKeys.NewRun run) {
        RunWrite.RunHeader header() {
            return run.header();
        }
    }

    /** Writes claims of different keys; returns the first runs of the claims whose key was free. */
    Future<Set<String>> claim(Tx tx, LiveStatus status, List<StartKeys.Row> rows, String owner, Instant now) {
        var values = Values.tuple(
                Values.texts(rows, row -> row.claim().key().flowId()),
                Values.texts(rows, row -> row.claim().key().environment().name()),
                Values.texts(rows, row -> row.claim().key().text()),
                Values.texts(rows, row -> row.claim().first().id()),
                Values.instants(rows, row -> row.claim().first().created()),
                Values.texts(rows, row -> row.claim().callId()),
                Values.instants(rows, StartKeys.Row::expires),
                now);
        var born = born(rows);
        headers(values, born);
        values.addString(owner);
        values.addString(status.name());
        values.addArrayOfString(
                Values.texts(born, each -> each.header().origin().traceparent()));
        values.addArrayOfBoolean(Values.flags(born, each -> each.run().executeTrigger()));
        values.addArrayOfBoolean(Values.flags(born, each -> each.run().unprepared()));
        values.addArrayOfString(
                Values.texts(born, each -> each.header().origin().parentWaitpoint()));
        return tx.query(CLAIM, values).map(taken -> new HashSet<>(Rows.all(taken, row -> Rows.text(row, "run_id"))));
    }

    private static List<Born> born(List<StartKeys.Row> rows) {
        var born = new ArrayList<Born>();
        rows.forEach(row -> row.claim()
                .runs()
                .forEach(run -> born.add(new Born(row.claim().first().id(), run))));
        return born;
    }

    private static void headers(Tuple values, List<Born> born) {
        values.addArrayOfString(Values.texts(born, Born::first));
        values.addArrayOfString(Values.texts(born, each -> each.header().id()));
        values.addArrayOfOffsetDateTime(
                Values.instants(born, each -> each.header().created()));
        values.addArrayOfString(Values.texts(born, each -> each.header().projectId()));
        values.addArrayOfString(Values.texts(born, each -> each.header().flow().flowId()));
        values.addArrayOfString(Values.texts(born, each -> each.header().flow().flowVersionId()));
        values.addArrayOfString(
                Values.texts(born, each -> each.header().environment().name()));
        values.addArrayOfOffsetDateTime(
                Values.instants(born, each -> each.header().startTime()));
        values.addArrayOfString(
                Values.texts(born, each -> each.header().origin().parentRunId()));
        values.addArrayOfBoolean(
                Values.flags(born, each -> each.header().origin().failParentOnFailure()));
        values.addArrayOfString(
                Values.texts(born, each -> each.header().origin().triggeredBy()));
        values.addArrayOfString(Values.texts(born, each -> each.header().flowName()));
        values.addValue(Values.buffers(born, each -> each.run().payload()));
    }

    /** Expired keys are ignored. */
    Future<Map<StartKey, StartKeys.First>> find(Tx tx, Collection<StartKey> keys, Instant now) {
        return tx.query(
                        FIND,
                        Values.texts(keys, StartKey::flowId),
                        Values.texts(keys, key -> key.environment().name()),
                        Values.texts(keys, StartKey::text),
                        now)
                .map(rows -> HOLDERS.all(rows).stream().collect(Collectors.toMap(KeyHolder::key, KeyHolder::first)));
    }

    /** Stores the answer of a run, unless there is one already; no effect on a run started without a key. */
    public Future<Void> keepAnswer(Tx tx, String runId, Buffer answer) {
        return tx.query("update start_key set answer = $2 where run_id = $1 and answer is null", runId, answer)
                .mapEmpty();
    }

    public Future<Integer> dropExpired(Tx tx, Instant now, int limit) {
        return tx.query("""
                        delete from start_key where ctid = any(array(
                          select ctid from start_key where expires <= $1 limit $2))
                        """, now, limit).map(rows -> rows.rowCount());
    }
}
