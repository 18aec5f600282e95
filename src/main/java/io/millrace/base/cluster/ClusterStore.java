package io.millrace.base.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

final class ClusterStore {
    private static final double MS_PER_SECOND = 1_000;

    /** Longest time that a node may be out of touch and still find all changes since. */
    static final String LOG_KEPT = "interval '1 day'";

    private static final String SINCE = """
            select pg_snapshot_xmin(pg_current_snapshot())::text as position, l.id as change_id, l.kind as change_kind,
                   l.subject as change_subject
              from (select 1) as always left join change_log l on l.transaction_id >= $1::text::xid8
            """;

    private static final RowMapper<PlacedChange> CHANGES = RowMapper.of(PlacedChange.class, SINCE);

    private static final String NODES = """
            select id, started, contact, lease_until > now() as online, address, release, schema_version, role,
                   load::text as load
              from node order by started, id limit 1000
            """;

    private static final RowMapper<WorkerMachine> MACHINES = RowMapper.of(WorkerMachine.class, NODES);

    /** A change with the position of the log; the only row of a log without changes has none. */
    private record PlacedChange(String position, Optional<LoggedChange> change) {}

    /**
     * Changes since a position.
     *
     * @param position every transaction before it had ended when the log was read
     */
    record Changes(String position, List<LoggedChange> changes) {}

    record LoggedChange(long id, String kind, String subject) {}

    /** Current position of the log; everything committed before it needs no reading. */
    Future<String> position(Tx tx) {
        return tx.query("select pg_snapshot_xmin(pg_current_snapshot())::text as position")
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "position")).orElseThrow());
    }

    /** Changes of all transactions from a position on, those seen before among them. */
    Future<Changes> since(Tx tx, String position) {
        return tx.query(SINCE, position).map(rows -> changes(CHANGES.all(rows)));
    }

    private static Changes changes(List<PlacedChange> rows) {
        return new Changes(
                rows.getFirst().position(),
                rows.stream().flatMap(row -> row.change().stream()).toList());
    }

    Future<List<String>> others(Tx tx, String nodeId) {
        return tx.query("select id from node where lease_until > now() and id <> $1", nodeId)
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    Future<Void> describe(Tx tx, String nodeId, NodeDescription description, ObjectNode load) {
        return tx.query(
                        "update node set contact = now(), address = $2, release = $3, schema_version = $4, role = $5, load = $6"
                                + " where id = $1",
                        nodeId,
                        description.address(),
                        description.release(),
                        description.schemaVersion(),
                        description.role(),
                        load)
                .mapEmpty();
    }

    Future<List<WorkerMachine>> nodes(Tx tx) {
        return tx.query(NODES).map(MACHINES::all);
    }

    Future<Void> notify(Tx tx, String channel, String payload) {
        return tx.query("select pg_notify($1, $2)", channel, payload).mapEmpty();
    }

    Future<Long> insertMessage(Tx tx, String text) {
        return tx.query("insert into cluster_message (body) values ($1) returning id", text)
                .map(rows -> Rows.first(rows, row -> Rows.whole(row, "id")).orElseThrow());
    }

    Future<Optional<String>> message(Tx tx, long id) {
        return tx.query("select body from cluster_message where id = $1", id)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "body")));
    }

    /**
     * Claims a round for the first node that asks after it was due. Nodes ask at about the same time of each period, one of
     * them slightly before the others: the next round is due somewhat before the period is over. A due time beyond that was
     * recorded before the clock was set back.
     */
    Future<Boolean> claimRound(Tx tx, Cluster.ClaimRound claim) {
        return tx.query("""
                        insert into housekeeping_round as known (name, due)
                        values ($1, now() + 0.9 * make_interval(secs => $2))
                        on conflict (name) do update set due = excluded.due
                          where known.due <= now() or known.due > now() + make_interval(secs => $2)
                        returning name
                        """, claim.name(), claim.every().toMillis() / MS_PER_SECOND)
                .map(rows -> rows.size() > 0);
    }

    Future<Void> purge(Tx tx) {
        return tx.query("delete from change_log where created < now() - " + LOG_KEPT)
                .compose(_ -> tx.query("delete from cluster_message where created < now() - interval '1 minute'"))
                .mapEmpty();
    }
}
