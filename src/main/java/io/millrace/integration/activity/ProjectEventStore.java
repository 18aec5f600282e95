package io.millrace.integration.activity;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Times are those of the database. */
final class ProjectEventStore {
    /** Longest wait for the writes of runs before triggers are enabled; the client tries again. */
    private static final String LOCK_TIMEOUT = "set local lock_timeout = '2s'";

    private static final String BEGIN = """
            with registered as (
                insert into event_listener as l (project_id, since, records_until)
                values ($1, pg_current_xact_id(), now() + make_interval(secs => $2))
                on conflict (project_id) do update
                   set since = case when l.records_until > now() then l.since else excluded.since end,
                       records_until = greatest(l.records_until, excluded.records_until)
                returning since)
            select r.since::text::bigint as since, pg_current_xact_id()::text::bigint as own,
                   pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next
              from registered r
            """;

    private static final RowMapper<ListenerRegistration> REGISTRATIONS =
            RowMapper.of(ListenerRegistration.class, BEGIN);

    private static final String RENEW = """
            update event_listener set records_until = now() + make_interval(secs => $2) where project_id = any($1)
            """;

    private static final String READ = """
            select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as up_to, e.transaction as event_transaction,
                   e.id as event_id, e.project_id as event_project_id, e.kind as event_kind, e.body as event_body
              from (select 1) as always
              left join (
                select p.transaction_id::text::bigint as transaction, p.transaction_id, p.id, p.project_id, p.kind, p.body
                  from project_event p
                 where p.project_id = any($1)
                   and (p.transaction_id, p.id) > ($2::bigint::text::xid8, $3)
                   and p.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
                 order by p.transaction_id, p.id limit $4) e on true
             order by e.transaction_id, e.id
            """;

    private static final RowMapper<PlacedEvent> EVENTS = RowMapper.of(PlacedEvent.class, READ);

    /** An event with the oldest transaction that has not ended; the only row of an empty result has no event. */
    private record PlacedEvent(long upTo, Optional<ProjectEvent> event) {}

    private static final String FORGET = """
            with gone as (
                delete from project_event where created < now() - make_interval(secs => $1)
                returning project_id, transaction_id)
            update event_listener l set since = greatest(l.since, g.last)
              from (select project_id, (array_agg(transaction_id order by transaction_id desc))[1] as last
                      from gone group by project_id) g
             where g.project_id = l.project_id
            """;

    private static final String LEAVE = "delete from event_listener where records_until < now() - interval '1 hour'";

    /** Registration of a listener: the first recorded transaction, that of the registration, and one that comes later. */
    record ListenerRegistration(long since, long own, long next) {}

    private static final double MS_PER_SECOND = 1_000;

    Future<ListenerRegistration> begin(Tx tx, String projectId, Duration kept) {
        return tx.query(LOCK_TIMEOUT)
                .compose(_ -> tx.query(BEGIN, projectId, seconds(kept)))
                .map(REGISTRATIONS::only);
    }

    Future<Void> renew(Tx tx, List<String> projectIds, Duration kept) {
        return tx.query(RENEW, Values.texts(projectIds), seconds(kept)).mapEmpty();
    }

    Future<ProjectEvents.Batch> read(Tx tx, List<String> projectIds, EventPosition after, int limit) {
        return tx.query(READ, Values.texts(projectIds), after.transaction(), after.id(), limit)
                .map(rows -> batch(EVENTS.all(rows), after, limit));
    }

    private static ProjectEvents.Batch batch(List<PlacedEvent> rows, EventPosition after, int limit) {
        var events = rows.stream().flatMap(row -> row.event().stream()).toList();
        var ended = EventPosition.before(rows.getFirst().upTo());
        if (events.size() == limit) {
            return new ProjectEvents.Batch(events, events.getLast().position());
        }
        return new ProjectEvents.Batch(events, ended.isAfter(after) ? ended : after);
    }

    Future<Void> forget(Tx tx, Duration kept) {
        return tx.query(FORGET, seconds(kept)).mapEmpty();
    }

    Future<Void> leave(Tx tx) {
        return tx.query(LOCK_TIMEOUT).compose(_ -> tx.query(LEAVE)).mapEmpty();
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / MS_PER_SECOND;
    }
}
