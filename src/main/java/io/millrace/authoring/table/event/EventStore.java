package io.millrace.authoring.table.event;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

/** Statements of {@code table_event}: events to be delivered to webhooks. */
public final class EventStore {
    private static final int ROWS_AT_ONCE = 5_000;

    /** Inserts an event once; an event of a change repeated after a crash exists already or was delivered. */
    private static final String INSERT = """
            insert into table_event (id, created, flow_id, payload, due)
            select e.id, e.created, e.flow_id, e.payload::jsonb, e.created
              from unnest($1::text[], $2::timestamptz[], $3::text[], $4::text[]) as e (id, created, flow_id, payload)
            on conflict (id) do nothing
            """;

    /** Claims events with a lease; an event becomes available again when its worker does not finish in time. */
    private static final String CLAIM = """
            update table_event e
               set due = $2, attempts = attempts + 1
             where id in (select id from table_event where due <= $1 order by due, id limit $3 for update skip locked)
            returning e.id, e.created, e.flow_id, e.payload::text as record, e.attempts
            """;

    private static final RowMapper<EventAttempt> CLAIMED = RowMapper.of(EventAttempt.class, CLAIM);

    public record Pending(String id, String flowId, JsonNode record, Instant created) {}

    record EventAttempt(String id, Instant created, String flowId, JsonNode record, int attempts) {}

    public Future<Void> insert(Tx tx, List<Pending> events) {
        var done = Future.<Void>succeededFuture();
        for (var from = 0; from < events.size(); from += ROWS_AT_ONCE) {
            var some = events.subList(from, Math.min(events.size(), from + ROWS_AT_ONCE));
            done = done.compose(_ -> tx.query(
                            INSERT,
                            Values.texts(some, Pending::id),
                            Values.instants(some, Pending::created),
                            Values.texts(some, Pending::flowId),
                            Values.jsons(some, Pending::record))
                    .mapEmpty());
        }
        return done;
    }

    Future<List<EventAttempt>> claim(Tx tx, Instant now, Instant until, int limit) {
        return tx.query(CLAIM, now, until, limit).map(CLAIMED::all);
    }

    Future<Void> delete(Tx tx, String eventId) {
        return tx.query("delete from table_event where id = $1", eventId).mapEmpty();
    }

    Future<Void> postpone(Tx tx, String eventId, Instant due) {
        return tx.query("update table_event set due = $2 where id = $1", eventId, due)
                .mapEmpty();
    }
}
