package io.millrace.engine.run.start;

import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.Values;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.machine.LiveStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Statements of runs that are taken in, and of the keys by which items are told apart. */
final class RunIngestStore {
    /** A second item with the same key is dropped for so long (contract flows-and-engine 18.6). */
    private static final int WINDOW_SECONDS = 30;

    /** Takes keys for the window; answers those that were free. */
    Future<Set<String>> takeKeys(Tx tx, String flowVersionId, List<String> keys, Instant now) {
        var end = now.minus(WINDOW_SECONDS, ChronoUnit.SECONDS);
        return tx.query("delete from run_dedupe where seen < $1", end)
                .compose(_ -> tx.query("""
                        insert into run_dedupe (flow_version_id, key, seen)
                        select distinct $1, k, $3::timestamptz from unnest($2::text[]) as k
                        on conflict do nothing returning key
                        """, flowVersionId, keys.toArray(String[]::new), now))
                .map(rows -> new HashSet<>(Rows.all(rows, row -> Rows.text(row, "key"))));
    }

    /** Runs that nobody owns yet. */
    Future<Void> insert(Tx tx, LiveStatus status, List<RunWrite.RunHeader> headers, List<Buffer> payloads) {
        var tuple = Tuple.tuple();
        tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::id));
        tuple.addArrayOfOffsetDateTime(Values.instants(headers, RunWrite.RunHeader::created));
        tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::projectId));
        tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::flowId));
        tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::flowVersionId));
        tuple.addArrayOfString(
                Values.texts(headers, header -> header.environment().name()));
        tuple.addArrayOfBoolean(Values.flags(headers, RunWrite.RunHeader::failParentOnFailure));
        tuple.addArrayOfString(Values.texts(headers, RunWrite.RunHeader::flowName));
        tuple.addValue(payloads.toArray(Buffer[]::new));
        tuple.addString(status.name());
        return tx.query("""
                        insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment,
                          status, fail_parent, flow_name, tags, payload, owner, fence)
                        select r.id, r.created, r.created, r.project_id, r.flow_id, r.flow_version_id, r.environment,
                          $10, r.fail_parent, r.flow_name, '{}', r.payload, '', 0
                        from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[],
                          $7::boolean[], $8::text[], $9::bytea[])
                          as r (id, created, project_id, flow_id, flow_version_id, environment, fail_parent, flow_name,
                            payload)
                        """, tuple).mapEmpty();
    }
}
