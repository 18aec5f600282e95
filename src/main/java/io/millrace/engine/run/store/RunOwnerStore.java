package io.millrace.engine.run.store;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunRelease;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Statements about the ownership of live runs: the leases of nodes, take-overs from dead nodes, and counts of crashes.
 */
public final class RunOwnerStore {
    /** Retention of the row of a node that ended unplanned. */
    private static final String REMEMBERED = "interval '1 hour'";

    /**
     * Fingerprint of the progress of a run: a number that changes with each recorded result. The size of a stored value
     * is known without reading it.
     */
    private static final String PROGRESS = """
            (select count(*) * 1000003 + coalesce(sum(octet_length(s.record)), 0)
             from run_step s where s.run_id = r.id)::bigint
            """;

    /** Condition that a node has begun with a run {@code r} that it owns. */
    private static final String AT_WORK = "not r.unread and not (r.status = 'QUEUED' and r.fence = 0)";

    private static final String OWNED_COLUMNS = " id as run_id, fence, unread, crashes ";

    private static final RowMapper<OwnedRun> OWNED_RUNS =
            RowMapper.of(OwnedRun.class, "select" + OWNED_COLUMNS + "from run");

    private static final String OWNED =
            "select id as run_id, fence from run where owner = $1 and status <> 'PAUSED' and id > $2 order by id limit $3";

    private static final RowMapper<RunRelease> RELEASES = RowMapper.of(RunRelease.class, OWNED);

    private static final String RECENT_ENDS = """
            select
              (select count(*) from node
               where id <> $1 and has_acquitted and not ended_by_suspect
                 and lease_until between now() - interval '15 minutes' and now())::int as late,
              (select count(*) from run where crashes >= $2 and status <> 'PAUSED')::int as suspects
            """;

    private static final RowMapper<RecentEnds> ENDS = RowMapper.of(RecentEnds.class, RECENT_ENDS);

    /**
     * Uses the index of runs that are not paused, from one owner and project to the next. A run that was executing when
     * its node crashed is skipped until {@link #countCrashes} has marked it: that crash could not be counted
     * afterwards.
     */
    static final String CLAIM_ORPHANS = """
            with recursive line as (
              (select owner, project_id from run where status <> 'PAUSED' order by owner, project_id limit 1)
              union all
              select next.owner, next.project_id from line, lateral (
                select owner, project_id from run
                where status <> 'PAUSED' and (owner, project_id) > (line.owner, line.project_id)
                order by owner, project_id limit 1) next
            ), orphaned as (
              select owner, project_id from line
              where project_id <> all($3)
                and not exists (select from node n where n.id = line.owner and n.lease_until > now())
                and (owner in ($1, '') or exists (select from node own where own.id = $1 and own.lease_until > now()))
            ), chosen as (
              select r.id, o.owner from orphaned o, lateral (
                select id, created, row_number() over (order by created) as place from run
                where owner = o.owner and project_id = o.project_id and status <> 'PAUSED'
                order by created limit $2) r
              order by r.place, r.created limit $2
            ), free as (
              select r.id from chosen c join run r on r.id = c.id and r.owner = c.owner and r.status <> 'PAUSED'
              where not (\
            """ + AT_WORK + """
             and exists (select from node n where n.id = r.owner and n.id <> $1))
              limit (
                select ceil((select count(*) from chosen) / greatest(1, count(*))::numeric)::bigint
                from node where lease_until > now() and role <> 'api')
              for update of r skip locked
            ), taken as (
              update run set owner = $1, fence = fence + 1, updated = now(), unread = true
              where id in (select id from free)
              returning\s""" + OWNED_COLUMNS + """
            )
            select (select count(*) from chosen)::int as chosen, taken.*
            from (select 1) as always left join taken on true
            """;

    private static final RowMapper<ClaimedRow> CLAIMED_ROWS = RowMapper.of(ClaimedRow.class, CLAIM_ORPHANS);

    private record ClaimedRow(int chosen, @Unprefixed Optional<OwnedRun> run) {}

    /** A crash does not count for a run that has paused since. */
    static final String TAKE_COUNTS_BACK = """
            update run set crashes = greatest(crashes - 1, 0), crashed_node = null, unread = unread and owner <> $1
            where crashed_node = $1 and status <> 'PAUSED'
            """;

    /**
     * Runs that this node has claimed.
     *
     * @param hasMore whether more runs may be claimable, including rows that another node has locked
     */
    public record ClaimBatch(List<OwnedRun> runs, boolean hasMore) {}

    /** Namespace of the advisory locks of nodes; the other half of a lock's id is derived from the node's id. */
    private static final int LOCK_SPACE = 1_836_215_154;

    /**
     * Renews the lease of a node, by the database's clock, and has the connection hold the node's lock, which
     * PostgreSQL frees when the process or the connection ends. A lock that is not available now may be at the next
     * renewal; until then other nodes must not draw conclusions from it.
     *
     * <p>A jump of that clock shows in the leases. One that ends later than a renewal of this moment was written before
     * the clock was set back: it is shortened, so that a dead node loses its runs in time. When the lease of this node
     * has expired although it was renewed in time, the clock was set forward: the leases that were alive with it are
     * renewed in its place, before any other statement could take their runs over.
     *
     * @param isInTime whether the node has renewed its lease in time, by its monotonic clock
     * @return lag of the node's clock behind that of the database
     */
    public Future<Duration> renewLease(Tx tx, String nodeId, Duration lease, boolean isInTime, Instant nodeTime) {
        return tx.query("""
                        with own as (select lease_until from node where id = $1),
                        repaired as (
                          update node n set lease_until = now() + make_interval(secs => $2)
                          where n.id <> $1 and (
                            n.lease_until > now() + make_interval(secs => $2) and n.lease_until < 'infinity'
                            or $4 and n.lease_until <= now() and exists (
                              select from own where own.lease_until <= now()
                                and n.lease_until > own.lease_until - make_interval(secs => $2)))
                        )
                        insert into node (id, lease_until, guarded)
                        values ($1, now() + make_interval(secs => $2), pg_try_advisory_lock($3, hashtext($1)))
                        on conflict (id) do update set lease_until = excluded.lease_until, guarded = excluded.guarded
                        returning now() as database_time
                        """, nodeId, seconds(lease), LOCK_SPACE, isInTime)
                .map(rows -> Rows.first(rows, row -> Duration.between(nodeTime, Rows.instant(row, "database_time")))
                        .orElseThrow());
    }

    /**
     * Ends the leases of nodes that have not renewed them lately and whose lock is free: their processes have ended. A
     * suspended process still holds its lock.
     *
     * @param silence time without a renewal of the lease
     * @return the other nodes that have a lease
     */
    public Future<Set<String>> endLeasesOfTheGone(Tx tx, String nodeId, Duration lease, Duration silence) {
        return tx.query("""
                        with gone as (
                          update node set lease_until = now()
                          where lease_until > now() and lease_until <= now() + make_interval(secs => $2) and guarded
                            and id <> $1
                            and exists (select from node own where own.id = $1 and own.lease_until > now())
                            and case when lease_until > now()
                              then pg_try_advisory_xact_lock_shared($3, hashtext(id)) end
                          returning id
                        )
                        select id from node where lease_until > now() and id <> $1 and id not in (select id from gone)
                        """, nodeId, seconds(lease.minus(silence)), LOCK_SPACE)
                .map(rows -> Set.copyOf(Rows.all(rows, row -> Rows.text(row, "id"))));
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1_000d;
    }

    /** Ends the lease of a node that stops as planned, and with it its ownership of runs. */
    public Future<Void> endLease(Tx tx, String nodeId) {
        return tx.query("delete from node where id = $1", nodeId).mapEmpty();
    }

    /**
     * Ends every lease but the own: this node is known to be the only one. The nodes of remaining leases have crashed.
     */
    public Future<Void> endOtherLeases(Tx tx, String nodeId) {
        return tx.query("update node set lease_until = least(lease_until, now()) where id <> $1", nodeId)
                .mapEmpty();
    }

    public Future<Void> forgetNodes(Tx tx) {
        return tx.query("delete from node n where lease_until < now() - " + REMEMBERED
                        + " and not exists (select from run r where r.owner = n.id and r.status <> 'PAUSED')")
                .mapEmpty();
    }

    /**
     * Recent ends of other nodes, and the suspects.
     *
     * @param late nodes that ended unplanned within the last minutes, without a culprit, and after a suspect had survived its
     *     trial there
     */
    public record RecentEnds(int late, int suspects) {}

    public Future<RecentEnds> recentEnds(Tx tx, String nodeId, int suspectedFrom) {
        return tx.query(RECENT_ENDS, nodeId, suspectedFrom).map(ENDS::only);
    }

    /**
     * Records that a run has survived its trial: it is marked as not read, so that the end of its node counts as no crash of
     * the run, and loses the crashes that it has beyond those of a suspect.
     *
     * @param suspectedFrom number of crashes that makes a run a suspect
     */
    public Future<Void> acquit(Tx tx, RunRelease run, int suspectedFrom) {
        return tx.query("""
                        with acquitted as (
                          update run set unread = true, crashes = least(crashes, $3)
                          where id = $1 and fence = $2 and not unread
                          returning owner
                        )
                        update node n set has_acquitted = true from acquitted a where n.id = a.owner
                        """, run.runId(), run.fence(), suspectedFrom).mapEmpty();
    }

    /**
     * Counts a crash for each run that was executing at a dead node, before any take-over. A node that stopped as
     * planned has no lease that could expire. Of several that were on trial at the same node none is to blame for sure,
     * so only those that have progressed since, or are suspected for the first time, are counted. A node at which one
     * suspect was on trial is recorded as ended by it. Where no suspect was on trial, one that waited has one crash less
     * from then on: the node had another reason to end.
     *
     * @param suspectedFrom number of crashes that makes a run a suspect
     */
    public Future<Integer> countCrashes(Tx tx, String nodeId, int suspectedFrom) {
        return tx.query("""
                        with at_work as (
                          select r.id, r.owner, r.fence, r.crashes, r.crash_progress, r.unread, \
                        """ + PROGRESS + """
                             as progress
                          from run r join node n on n.id = r.owner
                          where n.lease_until <= now() and n.id <> $2
                            and exists (select from node own where own.id = $2 and own.lease_until > now())
                            and r.status <> 'PAUSED' and (\
                        """ + AT_WORK + """
                         or r.unread and r.crashes > $1 and r.crashed_node is distinct from r.owner)
                        ), judged as (
                          select *, crashes > 0 and progress = crash_progress as stuck,
                            count(*) filter (where not unread and crashes >= $1 and progress = crash_progress)
                              over (partition by owner) as suspects
                          from at_work
                        ), blamed as (
                          update node n set ended_by_suspect = true from judged j
                          where n.id = j.owner and not j.unread and j.stuck and j.crashes >= $1 and j.suspects = 1
                        )
                        update run r
                        set unread = true, crashed_node = j.owner, crash_progress = j.progress,
                          crashes = case when j.unread and j.suspects = 0 then j.crashes - 1
                            when j.unread then j.crashes
                            when not j.stuck then 1
                            when j.crashes >= $1 and j.suspects > 1 then j.crashes
                            else j.crashes + 1 end
                        from judged j
                        where r.id = j.id and r.fence = j.fence and r.owner = j.owner and r.unread = j.unread
                        """, suspectedFrom, nodeId)
                .map(rows -> rows.rowCount());
    }

    /** This node was treated as dead and lives: the counts for that are taken back. */
    public Future<Void> takeCountsBack(Tx tx, String nodeId) {
        return tx.query(TAKE_COUNTS_BACK, nodeId).mapEmpty();
    }

    /**
     * Takes over runs whose owner has no lease, of the projects in turn, up to this node's share: other live nodes
     * claim at the same time. The new fence shuts the old owner out. Runs whose part in a crash has not been counted
     * are skipped.
     *
     * @param passedOver projects without capacity here
     */
    public Future<ClaimBatch> claimOrphans(Tx tx, String nodeId, int limit, Collection<String> passedOver) {
        return tx.query(CLAIM_ORPHANS, nodeId, limit, Values.texts(passedOver))
                .map(rows -> claimed(CLAIMED_ROWS.all(rows), limit));
    }

    private static ClaimBatch claimed(List<ClaimedRow> rows, int limit) {
        var chosen = rows.getFirst().chosen();
        var runs = rows.stream().flatMap(row -> row.run().stream()).toList();
        return new ClaimBatch(runs, chosen >= limit || runs.size() < chosen);
    }

    public Future<Optional<OwnedRun>> find(Tx tx, String nodeId, String runId) {
        return tx.query("select" + OWNED_COLUMNS + "from run where id = $1 and owner = $2", runId, nodeId)
                .map(OWNED_RUNS::first);
    }

    /** Runs that a node owns, in the order of their ids. */
    public Future<List<RunRelease>> owned(Tx tx, String nodeId, String after, int limit) {
        return tx.query(OWNED, nodeId, after, limit).map(RELEASES::all);
    }

    /** No effect when the run has another owner or has ended. */
    Future<Void> release(Tx tx, String runId, long fence) {
        return tx.query("update run set owner = '' where id = $1 and fence = $2", runId, fence)
                .mapEmpty();
    }

    /** Runs are about to be read: from now on a crash of this server counts for them. */
    public Future<Void> beginReading(Tx tx, String nodeId, List<String> runIds) {
        return tx.query(
                        "update run set unread = false where id = any($1) and owner = $2 and unread",
                        Values.texts(runIds),
                        nodeId)
                .mapEmpty();
    }

    /** Returns false when the run has another owner. */
    Future<Boolean> noteStep(Tx tx, RunOwnership.NoteStep note) {
        return tx.query(
                        "update run set step_at_work = $3 where id = $1 and fence = $2",
                        note.runId(),
                        note.fence(),
                        note.path())
                .map(rows -> rows.rowCount() == 1);
    }

    public Future<Optional<String>> stepAtWork(Tx tx, OwnedRun run) {
        return tx.query("select step_at_work from run where id = $1 and fence = $2", run.runId(), run.fence())
                .map(rows -> Rows.first(rows, row -> Rows.optionalText(row, "step_at_work"))
                        .flatMap(step -> step));
    }
}
