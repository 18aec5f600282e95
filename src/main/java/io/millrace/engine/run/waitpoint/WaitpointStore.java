package io.millrace.engine.run.waitpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Nullable;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.machine.LiveStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlResult;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Statements of waitpoints, and of the runs that pause at them. A transaction that changes a waitpoint or the pause of
 * a run locks the run's row first, so that a concurrent signal and pause are serialized.
 */
final class WaitpointStore {
    private static final String LOCK =
            "select project_id, status, fence, waitpoint_id from run where id = $1 for update";

    private static final RowMapper<LiveRunRow> LOCKS = RowMapper.of(LiveRunRow.class, LOCK);

    private static final String WAITING_STEPS = """
            select distinct r.flow_version_id, w.step_name from run r join waitpoint w on w.id = r.waitpoint_id
            where r.project_id = $1 and r.status = 'PAUSED' and w.type = 'WEBHOOK' and w.status = 'PENDING'
              and ($2::text is null or r.id = $2)
            """;

    private static final RowMapper<Waitpoints.WaitingStep> WAITING_STEPS_ROWS =
            RowMapper.of(Waitpoints.WaitingStep.class, WAITING_STEPS);

    /** The condition on an approval is that of {@link ApprovalStore.Reader#canDecide}; {@code $5} is null for all runs. */
    private static final String WAITING_RUNS = """
            from run r join waitpoint w on w.id = r.waitpoint_id left join approval_task t on t.waitpoint_id = w.id
            where r.project_id = $1 and r.status = 'PAUSED' and w.type = 'WEBHOOK' and w.status = 'PENDING'
              and ($2::text is null or r.id = $2)
              and (r.flow_version_id, w.step_name) in (select * from unnest($3::text[], $4::text[]))
              and ($5::text is null or t.waitpoint_id is null
                or $5 <> ''
                  and (cardinality(t.approvers) = 0 and t.role = '' or $5 = any (t.approvers)
                    or t.role <> '' and lower(t.role) = lower($6::text))
                  and not exists (select from approval_decision d where d.waitpoint_id = w.id and d.approver = $5))
            """;

    private static final String WAITING = """
            select r.id as run_id, r.flow_id, r.flow_version_id, r.flow_name, w.id as waitpoint_id, w.step_name,
              w.created as since, w.resume_at as "end"
            """ + WAITING_RUNS;

    private static final RowMapper<Waitpoints.WaitingRun> WAITING_ROWS =
            RowMapper.of(Waitpoints.WaitingRun.class, WAITING);

    /**
     * Condition for a pending waitpoint w of a run r and the waitpoint that its child names: the waitpoint itself, or for V0
     * the id of a request, which is longer than the id of a waitpoint and resumes a run once. A child cannot end the wait for
     * the decision of an approver.
     */
    private static final String AWAITS_CHILD = """
            w.status = 'PENDING' and w.type = 'WEBHOOK'
              and (w.id = %1$s or w.version = 'V0' and length(%1$s) > length(w.id)
                and %1$s <> all(coalesce(%2$s.answered_requests, '{}')))
              and not exists (select from approval_task t where t.waitpoint_id = w.id)
            """;

    private static final String FAILED_CHILDREN = """
            select c.id as run_id, c.project_id, c.parent_run_id, c.parent_waitpoint, c.created, c.status,
              c.failed_step_message as message
            from run p
            join waitpoint w on w.id = p.waitpoint_id
            join ended_run c on c.parent_run_id = p.id and c.project_id = p.project_id
            where p.status = 'PAUSED' and\s""" + AWAITS_CHILD.formatted("c.parent_waitpoint", "p") + """
              and c.fail_parent and c.status <> 'SUCCEEDED' and c.created >= w.created
              and (c.status <> 'INTERNAL_ERROR' or c.finish_time < $2) and c.id <> all($3)
            limit $1
            """;

    private static final RowMapper<FailedChild> FAILED_CHILDREN_ROWS = RowMapper.of(FailedChild.class, FAILED_CHILDREN);

    private static final String FOUND_COLUMNS = " w.id, w.status = 'PENDING' as pending, exists ("
            + "select from approval_task t where t.waitpoint_id = w.id) as approval ";

    private static final RowMapper<WaitpointState> FOUND =
            RowMapper.of(WaitpointState.class, "select" + FOUND_COLUMNS + "from waitpoint w");

    private static final String OVERDUE = """
            select w.id, w.run_id from run r join waitpoint w on w.id = r.waitpoint_id
            where r.status = 'PAUSED' and r.start_time <= $1 and w.status = 'PENDING' and w.resume_at is null
              and w.id <> all($3)
            order by r.start_time limit $2
            """;

    private static final RowMapper<DueRow> OVERDUE_ROWS = RowMapper.of(DueRow.class, OVERDUE);

    private static final String DUE = """
            select id, run_id, type = 'WEBHOOK' as expired from waitpoint
            where status = 'PENDING' and resume_at <= $1 and id <> all($3)
            order by resume_at limit $2
            """;

    private static final RowMapper<ExpiringRow> DUE_ROWS = RowMapper.of(ExpiringRow.class, DUE);

    private static final String QUEUE = """
            update run set status = $4, owner = $2, fence = fence + 1, updated = $3,
              crashes = 0, crash_progress = 0, unread = false, step_at_work = null
            where id = $1
            returning id as run_id, fence, unread, crashes, project_id, flow_id
            """;

    private static final RowMapper<RunHandover> QUEUED =
            RowMapper.of(QueuedRow.class, QUEUE).as(QueuedRow::queued);

    private record DueRow(String id, String runId) {
        Pauses.Complete completion(ObjectNode payload) {
            return new Pauses.Complete(runId, new Waitpoints.Target.OfWaitpoint(id), payload);
        }
    }

    private record ExpiringRow(@Unprefixed DueRow row, boolean expired) {}

    private record QueuedRow(@Unprefixed OwnedRun run, String projectId, String flowId) {
        RunHandover queued() {
            return new RunHandover(run, new Waitpoints.RunResumed(run.runId(), projectId, flowId));
        }
    }

    /**
     * The fields of a waitpoint that a completion needs.
     *
     * @param approval whether decisions complete it in place of a call
     */
    record WaitpointState(String id, boolean pending, boolean approval) {}

    /** A live run whose row is locked. */
    record LiveRunRow(
            String projectId,
            RunStatus status,
            long fence,
            @Nullable String waitpointId) {
        boolean isPaused() {
            return status == RunStatus.PAUSED && waitpointId != null;
        }

        boolean isPausedAt(WaitpointState waitpoint) {
            return status == RunStatus.PAUSED && waitpoint.id().equals(waitpointId);
        }
    }

    record FailedChild(
            String runId,
            String projectId,
            String parentRunId,
            @Nullable String parentWaitpoint,
            Instant created,
            RunStatus status,
            @Nullable String message) {}

    /** Creates a waitpoint of a run that is owned; returns the id of the existing one, if any. */
    Future<Optional<String>> insert(Tx tx, String id, Pauses.Create create, Instant now) {
        return tx.query(
                        """
                        with held as (select id from run where id = $2 and fence = $3 for key share)
                        insert into waitpoint (id, created, updated, project_id, run_id, path, previous, step_name, type,
                                               version, status, resume_at)
                        select $1, $4, $4, $5, held.id, $6, $7, $8, $9, $10, 'PENDING', $11 from held
                        on conflict (run_id, path, previous) do update set updated = waitpoint.updated
                        returning id
                        """,
                        id,
                        create.runId(),
                        create.fence(),
                        now,
                        create.projectId(),
                        create.path(),
                        create.previous(),
                        create.stepName(),
                        create.wanted().type(),
                        create.wanted().version(),
                        create.wanted().resumeAt())
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "id")));
    }

    Future<List<Waitpoints.WaitingStep>> waitingSteps(Tx tx, Waitpoints.FindWaitingSteps ask) {
        return tx.query(WAITING_STEPS, ask.projectId(), ask.runId().orElse(null))
                .map(WAITING_STEPS_ROWS::all);
    }

    /**
     * A page of waiting runs, the latest wait first.
     *
     * @param decider user who can decide on the runs; empty for all runs
     */
    Future<Page<Waitpoints.WaitingRun>> waiting(
            Tx tx, Waitpoints.FindWaiting ask, Optional<ApprovalStore.Reader> decider) {
        return tx.page(
                WAITING,
                Paging.newestFirst().on("w.created", "w.id"),
                ask.page(),
                WAITING_ROWS,
                run -> new PageKey(run.since(), run.waitpointId()),
                ask.projectId(),
                ask.runId().orElse(null),
                versionsOf(ask.steps()),
                namesOf(ask.steps()),
                decider.map(ApprovalStore.Reader::email).orElse(null),
                decider.map(ApprovalStore.Reader::role).orElse(null));
    }

    /** Number of the runs that a user can decide on, at most the limit. */
    Future<Integer> countWaiting(Tx tx, Waitpoints.CountWaiting ask, ApprovalStore.Reader decider) {
        return tx.query(
                        "select w.id " + WAITING_RUNS + "limit $7",
                        ask.projectId(),
                        null,
                        versionsOf(ask.steps()),
                        namesOf(ask.steps()),
                        decider.email(),
                        decider.role(),
                        ask.limit())
                .map(SqlResult::size);
    }

    private static String[] versionsOf(List<Waitpoints.WaitingStep> steps) {
        return steps.stream().map(Waitpoints.WaitingStep::flowVersionId).toArray(String[]::new);
    }

    private static String[] namesOf(List<Waitpoints.WaitingStep> steps) {
        return steps.stream().map(Waitpoints.WaitingStep::stepName).toArray(String[]::new);
    }

    Future<Void> waitUntil(Tx tx, Waitpoints.WaitUntil wait) {
        return tx.query("""
                        update waitpoint set resume_at = $3
                        where id = $1 and run_id = $2 and type = 'WEBHOOK' and status = 'PENDING' and resume_at is null
                        """, wait.waitpointId(), wait.runId(), wait.end()).mapEmpty();
    }

    Future<Optional<LiveRunRow>> lock(Tx tx, String runId) {
        return tx.query(LOCK, runId).map(LOCKS::first);
    }

    Future<Boolean> isOlderThanSignedLinks(Tx tx, String runId) {
        return tx.query("""
                        select from (select created from run where id = $1
                          union all select created from ended_run where id = $1) r
                        where r.created < (select min(since) from signed_links)
                        """, runId).map(rows -> rows.size() > 0);
    }

    Future<Optional<WaitpointState>> find(Tx tx, String runId, String waitpointId) {
        return tx.query(
                        "select" + FOUND_COLUMNS + "from waitpoint w where w.id = $1 and w.run_id = $2",
                        waitpointId,
                        runId)
                .map(FOUND::first);
    }

    /** The current V0 waitpoint of a run; without one, the last that it created. */
    Future<Optional<WaitpointState>> findPendingOfRun(Tx tx, String runId) {
        return tx.query("select" + FOUND_COLUMNS + """
                        from waitpoint w join run r on r.id = w.run_id
                        where w.run_id = $1 and w.version = 'V0' and w.status = 'PENDING'
                        order by (w.id = r.waitpoint_id) desc nulls last, w.created desc limit 1
                        """, runId).map(FOUND::first);
    }

    /** Returns whether a locked run has been resumed by an address of the old kind with this id. */
    Future<Boolean> isAnswered(Tx tx, String runId, String requestId) {
        return tx.query("select from run where id = $1 and $2 = any(answered_requests)", runId, requestId)
                .map(rows -> rows.size() > 0);
    }

    /** Records that a locked run has been resumed by an address of the old kind with this id. */
    Future<Void> keepAnswered(Tx tx, String runId, String requestId) {
        return tx.query(
                        "update run set answered_requests = array_append(answered_requests, $2) where id = $1",
                        runId,
                        requestId)
                .mapEmpty();
    }

    /** The waitpoint at which a run waits for a child: the one that the child names, and older than the child. */
    Future<Optional<WaitpointState>> findPendingForChild(Tx tx, FailedChild child) {
        return tx.query(
                        "select" + FOUND_COLUMNS + """
                        from waitpoint w join run r on r.id = w.run_id
                        where w.run_id = $1 and w.created <= $2 and\s""" + AWAITS_CHILD.formatted("$3::text", "r") + """
                        order by (w.id = r.waitpoint_id) desc nulls last, w.created desc limit 1
                        """,
                        child.parentRunId(),
                        child.created(),
                        child.parentWaitpoint())
                .map(FOUND::first);
    }

    Future<Void> complete(Tx tx, String waitpointId, Buffer payload, Instant now) {
        return tx.query("""
                        update waitpoint set status = 'COMPLETED', resume_payload = $2, updated = $3 where id = $1
                        """, waitpointId, payload, now).mapEmpty();
    }

    Future<Void> expire(Tx tx, String waitpointId) {
        return tx.query("update waitpoint set expired = true where id = $1", waitpointId)
                .mapEmpty();
    }

    /**
     * Pauses of runs that began before a given time, except those with their own due time.
     *
     * @param except waitpoints to be skipped
     */
    Future<List<Pauses.Complete>> overdue(
            Tx tx, Instant began, ObjectNode payload, Collection<String> except, int limit) {
        return tx.query(OVERDUE, began, limit, Values.texts(except))
                .map(rows -> OVERDUE_ROWS.as(row -> row.completion(payload)).all(rows));
    }

    record DueWaitpoint(Pauses.Complete completion, boolean expired) {
        String key() {
            return completion.key();
        }
    }

    /**
     * Due waitpoints, the most overdue first.
     *
     * @param except waitpoints to be skipped
     */
    Future<List<DueWaitpoint>> due(Tx tx, Instant now, ObjectNode payload, Collection<String> except, int limit) {
        return tx.query(DUE, now, limit, Values.texts(except))
                .map(rows -> DUE_ROWS.as(due -> new DueWaitpoint(due.row().completion(payload), due.expired()))
                        .all(rows));
    }

    Future<Optional<Instant>> nextDue(Tx tx, Collection<String> except) {
        return tx.query("""
                        select resume_at as next from waitpoint
                        where status = 'PENDING' and resume_at is not null and id <> all($1)
                        order by resume_at limit 1
                        """, (Object) Values.texts(except))
                .map(rows -> Rows.first(rows, row -> Rows.optionalInstant(row, "next"))
                        .flatMap(next -> next));
    }

    /** Writes a pause of a locked run; removes its previous waitpoint. */
    Future<Void> pause(Tx tx, Pauses.Pause pause, Instant now) {
        var ready = keepResults(tx, pause.runId(), pause.record().results())
                .compose(_ -> tx.query(
                        "delete from waitpoint w using run r where r.id = $1 and w.id = r.waitpoint_id and w.id <> $2",
                        pause.runId(),
                        pause.place().waitpointId()));
        return ready.compose(_ -> tx.query(
                        """
                        update run set status = $8, owner = '', waitpoint_id = $2, paused_path = $3,
                          steps_count = $4, tags = $5, log = $6, updated = $7, start_time = $9
                        where id = $1
                        """,
                        pause.runId(),
                        pause.place().waitpointId(),
                        pause.place().path(),
                        pause.stepsCount(),
                        pause.tags().toArray(String[]::new),
                        pause.record().log(),
                        now,
                        pause.status().name(),
                        pause.startTime()))
                .mapEmpty();
    }

    private static Future<Void> keepResults(Tx tx, String runId, List<RunWrite.StepResult> results) {
        if (results.isEmpty()) {
            return Future.succeededFuture();
        }
        var values = Tuple.of(runId);
        values.addArrayOfString(Values.texts(results, RunWrite.StepResult::path));
        values.addValue(results.stream().map(RunWrite.StepResult::record).toArray(Buffer[]::new));
        return tx.query("""
                        insert into run_step (run_id, path, record)
                        select $1, s.path, s.record from unnest($2::text[], $3::bytea[]) as s (path, record)
                        on conflict (run_id, path) do update set record = excluded.record
                        """, values).mapEmpty();
    }

    record RunHandover(OwnedRun run, Waitpoints.RunResumed notice) {}

    /** The new fence shuts out the earlier owner; the run counts as progressed since any crash. */
    Future<RunHandover> queue(Tx tx, LiveStatus status, String runId, String nodeId, Instant now) {
        return tx.query(QUEUE, runId, nodeId, now, status.name()).map(QUEUED::only);
    }

    /**
     * Failed runs whose parents are paused and wait for them.
     *
     * @param brokenBefore runs that broke later than that may still be retried
     * @param except runs to be skipped
     */
    Future<List<FailedChild>> failedChildren(Tx tx, int limit, Instant brokenBefore, Collection<String> except) {
        return tx.query(FAILED_CHILDREN, limit, brokenBefore, Values.texts(except))
                .map(FAILED_CHILDREN_ROWS::all);
    }

    Future<Optional<String>> failureMessage(Tx tx, String runId, Instant created) {
        return tx.query("select failed_step_message from ended_run where id = $1 and created = $2", runId, created)
                .map(rows -> Rows.first(rows, row -> Rows.optionalText(row, "failed_step_message"))
                        .flatMap(message -> message));
    }

    Future<Void> remove(Tx tx, List<String> runIds) {
        return tx.query("delete from waitpoint where run_id = any($1)", (Object) runIds.toArray(String[]::new))
                .mapEmpty();
    }
}
