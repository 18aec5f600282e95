package io.millrace.engine.run.waitpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.Approvals;
import io.millrace.piece.ApprovalRequest;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Rows of approvals and their decisions. Reads members and roles of the modules below and never writes them. Decisions and
 * completions hold the lock of the run's row, as in {@link WaitpointStore}.
 */
final class ApprovalStore {
    private static final String TASKS = """
            select waitpoint_id, shown, approvers, role, approvals_needed, declines_needed from approval_task
            where waitpoint_id = any ($1)
            """;

    private static final RowMapper<TaskRow> TASK_ROWS = RowMapper.of(TaskRow.class, TASKS);

    private static final String DECISIONS = """
            select waitpoint_id, approver, user_id, verdict, comment, answers, decided from approval_decision
            where waitpoint_id = any ($1) order by position
            """;

    private static final RowMapper<DecisionRow> DECISION_ROWS = RowMapper.of(DecisionRow.class, DECISIONS);

    private static final String MAILS = """
            select t.waitpoint_id, r.id as run_id, r.project_id, p.platform_id, p.display_name as project_name,
                   coalesce(r.flow_name, '') as flow_name, w.resume_at as deadline, t.escalate_at, t.escalate_to,
                   t.mails, t.remind_every_ms
              from approval_task t
              join waitpoint w on w.id = t.waitpoint_id and w.status = 'PENDING'
              join run r on r.id = w.run_id and r.waitpoint_id = w.id and r.status = 'PAUSED'
              join project p on p.id = r.project_id and p.deleted is null
             where t.next_mail_at <= $1
             order by t.next_mail_at limit $2 for no key update of t skip locked
            """;

    private static final RowMapper<DueMail> MAIL_ROWS = RowMapper.of(DueMail.class, MAILS);

    private static final String MEMBERS_OF_ROLE = """
            select i.email from project_member m
              join project_role o on o.id = m.project_role_id and lower(o.name) = lower($2)
              join platform_user u on u.id = m.user_id and u.status = 'ACTIVE'
              join user_identity i on i.id = u.identity_id
             where m.project_id = $1 order by m.created, m.id limit $3
            """;

    private static final String READER = """
            select lower(i.email) as email, coalesce(o.name, '') as role
              from platform_user u
              join user_identity i on i.id = u.identity_id
              left join project_member m on m.user_id = u.id and m.project_id = $1
              left join project_role o on o.id = m.project_role_id
             where u.id = $2
            """;

    private static final RowMapper<Reader> READERS = RowMapper.of(Reader.class, READER);

    private record TaskRow(
            String waitpointId,
            Buffer shown,
            List<String> approvers,
            String role,
            int approvalsNeeded,
            int declinesNeeded) {}

    private record DecisionRow(
            String waitpointId,
            String approver,
            String userId,
            Approvals.Verdict verdict,
            String comment,
            Buffer answers,
            Instant decided) {
        Approvals.ApprovalDecision recorded() {
            return new Approvals.ApprovalDecision(
                    approver, userId, verdict, comment, Json.trusted(answers.getBytes()), decided);
        }
    }

    /**
     * An approval whose mails are due.
     *
     * @param mails mails to each approver so far
     */
    record DueMail(
            String waitpointId,
            String runId,
            String projectId,
            String platformId,
            String projectName,
            String flowName,
            Optional<Instant> deadline,
            Optional<Instant> escalateAt,
            List<String> escalateTo,
            int mails,
            long remindEveryMs) {}

    /** No change for an approval that an earlier execution of the step stored. */
    Future<Void> insert(Tx tx, String waitpointId, String projectId, ApprovalRequest request, Instant now) {
        var asksByMail = !request.approvers().isEmpty() || request.role().isPresent();
        var escalateAt = request.escalation().map(ApprovalRequest.Escalation::at);
        return tx.query(
                        """
                        insert into approval_task (waitpoint_id, project_id, shown, approvers, role, approvals_needed,
                          declines_needed, remind_every_ms, next_mail_at, escalate_at, escalate_to)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                        on conflict (waitpoint_id) do nothing
                        """,
                        waitpointId,
                        projectId,
                        Buffer.buffer(Json.bytes(request.shown())),
                        Values.texts(request.approvers()),
                        request.role().orElse(""),
                        request.quorum().approvals(),
                        request.quorum().declines(),
                        request.remindEvery().map(Duration::toMillis).orElse(0L),
                        asksByMail ? now : escalateAt.orElse(null),
                        escalateAt.orElse(null),
                        Values.texts(request.escalation()
                                .map(ApprovalRequest.Escalation::approvers)
                                .orElse(List.of())))
                .mapEmpty();
    }

    Future<List<Approvals.Task>> find(Tx tx, List<String> waitpointIds) {
        var ids = Values.texts(waitpointIds);
        return tx.query(TASKS, (Object) ids)
                .map(TASK_ROWS::all)
                .compose(tasks -> tasks.isEmpty()
                        ? Future.succeededFuture(List.of())
                        : tx.query(DECISIONS, (Object) ids)
                                .map(DECISION_ROWS::all)
                                .map(decisions -> tasks.stream()
                                        .map(task -> task(task, decisions))
                                        .toList()));
    }

    Future<Optional<Approvals.Task>> find(Tx tx, String waitpointId) {
        return find(tx, List.of(waitpointId)).map(found -> found.stream().findFirst());
    }

    private static Approvals.Task task(TaskRow row, List<DecisionRow> decisions) {
        return new Approvals.Task(
                row.waitpointId(),
                (ObjectNode) Json.trusted(row.shown().getBytes()),
                row.approvers(),
                Optional.of(row.role()).filter(role -> !role.isEmpty()),
                row.approvalsNeeded(),
                row.declinesNeeded(),
                decisions.stream()
                        .filter(decision -> decision.waitpointId().equals(row.waitpointId()))
                        .map(DecisionRow::recorded)
                        .toList());
    }

    /** Returns false when this approver has decided before. */
    Future<Boolean> decide(Tx tx, String waitpointId, Approvals.ApprovalDecision decision) {
        return tx.query(
                        """
                        insert into approval_decision (waitpoint_id, approver, user_id, verdict, comment, answers, decided)
                        values ($1, $2, $3, $4, $5, $6, $7)
                        on conflict (waitpoint_id, approver) do nothing returning approver
                        """,
                        waitpointId,
                        decision.approver(),
                        decision.userId(),
                        decision.verdict().name(),
                        decision.comment(),
                        Buffer.buffer(Json.bytes(decision.answers())),
                        decision.decided())
                .map(rows -> rows.size() > 0);
    }

    /** E-mail address of a user in lower case. */
    Future<Optional<String>> email(Tx tx, String userId) {
        return tx.query("""
                        select i.email from platform_user u join user_identity i on i.id = u.identity_id where u.id = $1
                        """, userId).map(rows -> Rows.first(rows, ApprovalStore::email));
    }

    record Reader(String email, String role) {
        boolean canDecide(Approvals.Task task) {
            var isNamed = task.isOpenToMembers()
                    || task.approvers().contains(email)
                    || task.role().filter(name -> name.equalsIgnoreCase(role)).isPresent();
            return isNamed && !task.hasDecided(email);
        }
    }

    /** Address and role of a user in a project; the role is empty for an owner without one. */
    Future<Optional<Reader>> reader(Tx tx, String projectId, String userId) {
        return tx.query(READER, projectId, userId).map(READERS::first);
    }

    /** E-mail addresses of the members of a project with a role, in lower case. */
    Future<Set<String>> membersOfRole(Tx tx, String projectId, String role, int limit) {
        return tx.query(MEMBERS_OF_ROLE, projectId, role, limit)
                .map(rows -> new HashSet<>(Rows.all(rows, ApprovalStore::email)));
    }

    private static String email(Row row) {
        return Rows.text(row, "email").toLowerCase(Locale.ROOT);
    }

    /** Approvals whose mails are due, the most overdue first; other nodes skip them until the transaction ends. */
    Future<List<DueMail>> dueMails(Tx tx, Instant now, int limit) {
        return tx.query(MAILS, now, limit).map(MAIL_ROWS::all);
    }

    Future<Void> mailed(Tx tx, String waitpointId, int mails, Optional<Instant> next) {
        return tx.query(
                        "update approval_task set mails = $2, next_mail_at = $3 where waitpoint_id = $1",
                        waitpointId,
                        mails,
                        next.orElse(null))
                .mapEmpty();
    }

    Future<Void> escalate(Tx tx, String waitpointId) {
        return tx.query("""
                        update approval_task set escalate_at = null, approvers = array(
                          select distinct unnest(approvers || escalate_to) order by 1)
                        where waitpoint_id = $1
                        """, waitpointId).mapEmpty();
    }
}
