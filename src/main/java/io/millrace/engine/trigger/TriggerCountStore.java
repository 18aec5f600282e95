package io.millrace.engine.trigger;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Reads the table of projects to find those of a platform. */
final class TriggerCountStore {
    private static final String OF_PLATFORM = """
            select t.piece_name, t.day::text as day,
              coalesce(sum(t.runs) filter (where t.status = 'COMPLETED'), 0)::bigint as success,
              coalesce(sum(t.runs) filter (where t.status <> 'COMPLETED'), 0)::bigint as failure
            from trigger_tally t join project p on p.id = t.project_id
            where p.platform_id = $1 and t.day > ($2::timestamptz at time zone 'UTC')::date
            group by t.piece_name, t.day order by t.piece_name, t.day
            """;

    private static final RowMapper<DailyTally> TALLIES = RowMapper.of(DailyTally.class, OF_PLATFORM);

    /** Counts of deleted projects are dropped. */
    Future<Void> add(Tx tx, Map<TriggerCounts.Key, Long> counts) {
        var rows = List.copyOf(counts.entrySet());
        return tx.query(
                        """
                        insert into trigger_tally (project_id, piece_name, day, status, runs)
                        select c.project_id, c.piece_name, c.day::date, c.status, c.runs
                        from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
                          as c (project_id, piece_name, day, status, runs)
                          join project p on p.id = c.project_id
                        on conflict (project_id, piece_name, day, status)
                          do update set runs = trigger_tally.runs + excluded.runs
                        """,
                        Values.texts(rows, row -> row.getKey().projectId()),
                        Values.texts(rows, row -> row.getKey().pieceName()),
                        Values.texts(rows, row -> row.getKey().day().toString()),
                        Values.texts(rows, row -> row.getKey().status().name()),
                        Values.wholes(rows, Map.Entry::getValue))
                .mapEmpty();
    }

    record DailyTally(String pieceName, String day, long success, long failure) {}

    Future<List<DailyTally>> ofPlatform(Tx tx, String platformId, Instant since) {
        return tx.query(OF_PLATFORM, platformId, since).map(TALLIES::all);
    }

    Future<Void> purge(Tx tx, Instant before) {
        return tx.query("delete from trigger_tally where day < ($1::timestamptz at time zone 'UTC')::date", before)
                .mapEmpty();
    }
}
