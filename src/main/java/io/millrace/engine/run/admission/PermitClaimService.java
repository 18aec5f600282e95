package io.millrace.engine.run.admission;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.engine.run.admission.PermitClaims.Claim;
import io.millrace.engine.run.admission.PermitClaims.Keep;
import io.millrace.engine.run.admission.PermitClaims.PermitGrant;
import io.vertx.core.Future;

/** Handles {@link PermitClaims}: claims of one limit are serialized over all nodes. */
public final class PermitClaimService implements BusService {
    /** Namespace of the advisory locks of claims; the other half of a lock's id is derived from the key. */
    private static final int LOCK_SPACE = 1_836_215_155;

    private static final String CLAIM = """
            with live as (
              select p.node_id, p.permits, p.wanted_since,
                coalesce(p.wanted_at > now() - interval '2 seconds', false) as wants
              from run_permit p join node n on n.id = p.node_id and n.lease_until > now()
              where p.key = $1
            ), own as (
              select coalesce(max(permits), 0) as permits,
                coalesce(min(wanted_since) filter (where wants), now()) as since
              from live where node_id = $2
            ), fair as (
              select $3::int / (1 + count(*))::int as permits
              from live where node_id <> $2 and (permits > 0 or wants)
            ), others as (
              select coalesce(sum(l.permits), 0) as permits,
                coalesce(sum(greatest(0, greatest(1, fair.permits) - l.permits)) filter (
                  where l.wants and (l.wanted_since < own.since or own.permits >= greatest(1, fair.permits))),
                  0) as owed
              from live l, own, fair where l.node_id <> $2
            ), granted as (
              select greatest($4::int, $3::int - others.permits - others.owed)::int as permits from others
            )
            insert into run_permit as known (key, node_id, permits, wanted_since, wanted_at)
            select $1, $2, granted.permits,
              case when granted.permits < $5::int then own.since end,
              case when granted.permits < $5::int then now() end
            from granted, own
            on conflict (key, node_id) do update set permits = excluded.permits,
              wanted_since = excluded.wanted_since, wanted_at = excluded.wanted_at
            returning permits, (select permits from fair) as fair,
              greatest(0, permits + (select permits from others) - $3::int)::int as surplus
            """;

    private static final RowMapper<PermitGrant> GRANTED = RowMapper.of(PermitGrant.class, CLAIM);

    private final Database database;
    private final String nodeId;

    public PermitClaimService(Database database, String nodeId) {
        this.database = database;
        this.nodeId = nodeId;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Claim.class, claim -> database.inTransaction(tx -> claim(tx, claim)));
        bus.serve(Keep.class, keep -> database.read(tx -> keep(tx, keep)));
        bus.serve(PermitClaims.AreCounted.class, asked -> database.read(tx -> areCounted(tx, asked.key())));
        bus.serve(PermitClaims.Purge.class, _ -> database.read(PermitClaimService::purge));
    }

    /** Nodes that lacked permits within the last seconds, and have not reported otherwise, are served in turn. */
    private Future<PermitGrant> claim(Tx tx, Claim claim) {
        var key = claim.key().text();
        return tx.query("select pg_advisory_xact_lock($1, hashtext($2))", LOCK_SPACE, key)
                .compose(_ -> tx.query(CLAIM, key, nodeId, claim.limit(), claim.held(), claim.wanted()))
                .map(GRANTED::only);
    }

    private Future<Nothing> keep(Tx tx, Keep keep) {
        return tx.query(
                        "update run_permit set permits = $3 where key = $1 and node_id = $2",
                        keep.key().text(),
                        nodeId,
                        keep.permits())
                .map(Nothing.DONE);
    }

    private static Future<Boolean> areCounted(Tx tx, PermitKey key) {
        return tx.query("""
                        select exists (
                          select from run_permit p join node n on n.id = p.node_id and n.lease_until > now()
                          where p.key = $1 and p.permits > 0) as counted
                        """, key.text())
                .map(rows -> Rows.first(rows, row -> Rows.flag(row, "counted")).orElseThrow());
    }

    private static Future<Nothing> purge(Tx tx) {
        return tx.query("""
                        delete from run_permit p
                        where not exists (select from node n where n.id = p.node_id)
                          or permits = 0 and (wanted_at is null or wanted_at < now() - interval '1 minute')
                        """).map(Nothing.DONE);
    }
}
