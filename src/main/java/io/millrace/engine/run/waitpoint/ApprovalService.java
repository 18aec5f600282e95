package io.millrace.engine.run.waitpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.Approvals;
import io.millrace.engine.run.Approvals.Approver;
import io.millrace.engine.run.Approvals.Outcome;
import io.millrace.engine.run.Approvals.Task;
import io.millrace.engine.run.Pauses.Completion;
import io.millrace.engine.run.RunDurableWrite;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.waitpoint.WaitpointStore.LiveRunRow;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Records decisions of approvers, and completes a waitpoint when its approval is decided. The lock of the run's row orders
 * concurrent decisions: each is counted, and one of them resumes the run.
 */
public final class ApprovalService {
    static final int ROLE_MEMBERS_MAX = 200;

    private final Database database;
    private final WaitpointCompletion completion;
    private final InstantSource clock;
    private final WaitpointStore waitpoints = new WaitpointStore();
    private final ApprovalStore approvals = new ApprovalStore();

    ApprovalService(Database database, WaitpointCompletion completion, InstantSource clock) {
        this.database = database;
        this.completion = completion;
        this.clock = clock;
    }

    void open(Bus bus) {
        bus.serve(Approvals.Decide.class, this::decide);
        bus.serve(Approvals.Find.class, find -> database.read(tx -> find(tx, find)));
        bus.serve(Approvals.LookAt.class, look -> database.read(tx -> look(tx, look)));
    }

    private Future<List<Approvals.ApprovalEntry>> find(Tx tx, Approvals.Find ask) {
        return approvals
                .find(tx, ask.waitpointIds())
                .compose(tasks -> tasks.isEmpty() || ask.userId().isEmpty()
                        ? Future.succeededFuture(tasks.stream()
                                .map(task -> new Approvals.ApprovalEntry(task, false))
                                .toList())
                        : approvals
                                .reader(tx, ask.projectId(), ask.userId().get())
                                .map(reader -> tasks.stream()
                                        .map(task -> new Approvals.ApprovalEntry(
                                                task, reader.stream().anyMatch(by -> by.canDecide(task))))
                                        .toList()));
    }

    private Future<Optional<Task>> look(Tx tx, Approvals.LookAt ask) {
        var waitpointId = ask.guest().waitpointId();
        return waitpoints
                .find(tx, ask.runId(), waitpointId)
                .compose(found ->
                        found.filter(WaitpointStore.WaitpointState::pending).isPresent()
                                ? approvals.find(tx, waitpointId)
                                : Future.succeededFuture(Optional.empty()));
    }

    private Future<Outcome> decide(Approvals.Decide ask) {
        return database.durably(
                        RunDurableWrite.RESUMED,
                        () -> database.inTransaction(tx -> waitpoints
                                .lock(tx, ask.runId())
                                .map(run -> run.filter(locked -> isOf(locked, ask.by()))
                                        .orElseThrow(() -> notWaiting(ask.runId())))
                                .compose(run -> decide(tx, ask, run))))
                .onSuccess(completion::announce)
                .map(completed -> {
                    completion.handOver(completed);
                    return completed instanceof Completion.Stale ? Outcome.WAITING : Outcome.DECIDED;
                });
    }

    private static boolean isOf(LiveRunRow run, Approver by) {
        return run.isPaused()
                && switch (by) {
                    case Approver.Member _ -> true;
                    case Approver.Guest(var waitpointId, var _) -> waitpointId.equals(run.waitpointId());
                };
    }

    private Future<Completion> decide(Tx tx, Approvals.Decide ask, LiveRunRow run) {
        var waitpointId = run.waitpointId();
        return waitpoints
                .find(tx, ask.runId(), waitpointId)
                .compose(found -> approvals
                        .find(tx, waitpointId)
                        .map(task -> task.filter(_ -> found.filter(WaitpointStore.WaitpointState::pending)
                                        .isPresent())
                                .orElseThrow(() -> notWaiting(ask.runId())))
                        .compose(task -> email(tx, ask.by())
                                .compose(email ->
                                        permitted(tx, run, task, email).compose(_ -> record(tx, ask, task, email))))
                        .compose(_ -> approvals.find(tx, waitpointId))
                        .compose(task -> task.flatMap(Task::result).isEmpty()
                                ? Future.succeededFuture(new Completion.Stale(run.status()))
                                : completion.complete(
                                        tx, ask.runId(), run, found, RecordText.of(payload(task.get())))));
    }

    private Future<String> email(Tx tx, Approver by) {
        return switch (by) {
            case Approver.Guest(var _, var email) -> Future.succeededFuture(email);
            case Approver.Member(var userId) ->
                approvals
                        .email(tx, userId)
                        .map(email -> email.orElseThrow(() -> ApiException.notFound("user", userId)));
        };
    }

    private Future<Void> permitted(Tx tx, LiveRunRow run, Task task, String email) {
        if (task.isOpenToMembers() || task.approvers().contains(email)) {
            return Future.succeededFuture();
        }
        var role = task.role();
        return (role.isEmpty()
                        ? Future.succeededFuture(false)
                        : approvals
                                .membersOfRole(tx, run.projectId(), role.get(), ROLE_MEMBERS_MAX)
                                .map(members -> members.contains(email)))
                .map(isMember -> {
                    if (!isMember) {
                        throw ApiException.of(
                                ErrorCode.VALIDATION,
                                email + " is not an approver of this request: " + approversOf(task));
                    }
                    return null;
                });
    }

    private static String approversOf(Task task) {
        var named = String.join(", ", task.approvers());
        var role = task.role().map(name -> "members with the role " + name);
        return role.map(text -> named.isEmpty() ? text : named + " and " + text).orElse(named) + " can decide";
    }

    private Future<Void> record(Tx tx, Approvals.Decide ask, Task task, String email) {
        var vote = ask.vote();
        ObjectNode answers;
        try {
            answers = ApprovalForm.values(
                    task.shown().path("fields"), vote.answers(), vote.verdict() == Approvals.Verdict.APPROVED);
        } catch (ApiException refused) {
            return Future.failedFuture(refused);
        }
        var userId = ask.by() instanceof Approver.Member(var id) ? id : "";
        var decision = new Approvals.ApprovalDecision(email, userId, vote.verdict(), vote.comment(), answers, now());
        // A request that is repeated after a lost answer has its effect once.
        if (task.decisions().stream().anyMatch(decision::repeats)) {
            return Future.succeededFuture();
        }
        return approvals.decide(tx, task.waitpointId(), decision).map(isNew -> {
            if (!isNew) {
                throw ApiException.of(ErrorCode.VALIDATION, email + " has decided on this request already");
            }
            return null;
        });
    }

    /** Payload of the resumed step; empty for a waitpoint without an approval. */
    Future<Optional<ObjectNode>> payload(Tx tx, String waitpointId) {
        return approvals.find(tx, waitpointId).map(task -> task.map(ApprovalService::payload));
    }

    private static ObjectNode payload(Task task) {
        var payload = WaitpointCompletion.nothing();
        var approval = payload.putObject("approval");
        approval.put("decision", task.result().map(Enum::name).orElse("NO_DECISION"));
        var decisions = approval.putArray("decisions");
        task.decisions().forEach(decision -> decisions.add(decision.toJson()));
        return payload;
    }

    private static ApiException notWaiting(String runId) {
        return ApiException.of(
                ErrorCode.VALIDATION,
                "run " + runId + " does not wait for an approval: it was decided already, or ended");
    }

    /** Current time in the precision of the database. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
