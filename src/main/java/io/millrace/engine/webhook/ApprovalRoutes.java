package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.Step;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.Waitpoints.Resumed;
import io.millrace.engine.run.Waitpoints.WaitingRun;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Approvals that wait in a project, and decisions on them by members with WRITE_RUN (decision 0428). The links of an approval
 * continue to work; the first decision counts.
 */
public final class ApprovalRoutes implements RouteGroup {
    private static final String PIECE = "@activepieces/piece-approval";
    private static final String ACTION = "wait_for_approval";
    private static final int COMMENT_LENGTH_MAX = 2_000;

    /** Limit of approvals in one response. */
    private static final int LISTED_MAX = 50;

    private final Bus bus;
    private final RunShards shards;

    public ApprovalRoutes(Bus bus, RunShards shards) {
        this.bus = bus;
        this.shards = shards;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/approvals", Access.projectInQuery(Permission.READ_RUN), ApprovalRoutes::readList, this::list);
        routes.post(
                "/v1/flow-runs/:id/decision",
                Access.projectOfRow(Permission.WRITE_RUN, Runs.ProjectOf::new),
                Decision::read,
                this::decide);
    }

    private static Waitpoints.FindWaiting readList(Input input) {
        var query = input.query();
        return new Waitpoints.FindWaiting(
                query.text("projectId", Ids.PATTERN), query.optionalText("flowRunId", Ids.PATTERN));
    }

    private Future<ApiReply> list(ApiCall call, Waitpoints.FindWaiting wanted) {
        return approvals(wanted, call.deadlineMs()).map(approvals -> {
            var body = Json.object();
            var data = body.putArray("data");
            approvals.forEach(data::add);
            return ApiReply.ok(body);
        });
    }

    /** Waiting runs whose waiting step is an approval, with the prompt of the step. */
    private Future<List<ObjectNode>> approvals(Waitpoints.FindWaiting wanted, long deadlineMs) {
        return bus.ask(wanted, deadlineMs).compose(waiting -> {
            var found = waiting.stream().map(run -> approval(run, deadlineMs)).toList();
            return Future.all(found)
                    .map(all -> all.<Optional<ObjectNode>>list().stream()
                            .flatMap(Optional::stream)
                            .limit(LISTED_MAX)
                            .toList());
        });
    }

    private Future<Optional<ObjectNode>> approval(WaitingRun run, long deadlineMs) {
        return step(run, deadlineMs).compose(step -> {
            if (step.isEmpty()) {
                return Future.succeededFuture(Optional.empty());
            }
            var look = new Waitpoints.Look(run.runId(), new Waitpoints.Target.OfWaitpoint(run.waitpointId()));
            return bus.ask(look, deadlineMs)
                    .map(view -> Optional.of(toJson(run, step.get(), view)))
                    .otherwise(Optional.empty());
        });
    }

    /** The approval step that a run waits at; empty for any other step, and for a flow that was deleted meanwhile. */
    private Future<Optional<Step>> step(WaitingRun run, long deadlineMs) {
        return bus.ask(new Flows.GetVersion(run.flowVersionId()), deadlineMs)
                .map(version -> version.steps().find(run.stepName()).filter(ApprovalRoutes::isApproval))
                .otherwise(Optional.empty());
    }

    private static boolean isApproval(Step step) {
        var settings = step.settings();
        return settings.path("pieceName").asText().equals(PIECE)
                && settings.path("actionName").asText().equals(ACTION);
    }

    private static ObjectNode toJson(WaitingRun run, Step step, Waitpoints.WaitpointView view) {
        var json = Json.object()
                .put("flowRunId", run.runId())
                .put("flowId", run.flowId())
                .put("flowDisplayName", run.flowName())
                .put("stepName", run.stepName())
                .put("stepDisplayName", step.displayName())
                .put("since", Json.timestamp(run.since()));
        run.end().ifPresent(end -> json.put("deadline", Json.timestamp(end)));
        view.question().ifPresent(question -> json.set("input", question.input()));
        return json;
    }

    /** Verdict of a member. */
    private enum Verdict {
        APPROVED,
        DECLINED
    }

    /** Decision on the approval that a run waits for. */
    private record Decision(String runId, Verdict verdict, Optional<String> comment) {
        static Decision read(Input input) {
            var body = input.body();
            var comment = body.optionalText("comment");
            if (comment.filter(text -> text.length() > COMMENT_LENGTH_MAX).isPresent()) {
                body.refuse("comment", "Too big: expected string to have <=" + COMMENT_LENGTH_MAX + " characters");
            }
            return new Decision(input.id("id"), body.option("decision", Verdict.class), comment);
        }

        /** Payload of the resumed step: the call of a link, and the member who decided, which no call can claim. */
        ObjectNode payload(String userId) {
            var payload = Json.object();
            payload.putObject("body");
            payload.putObject("headers");
            payload.putObject("queryParams").put("action", verdict == Verdict.APPROVED ? "approve" : "disapprove");
            var decided = payload.putObject("decision").put("decidedBy", userId);
            comment.ifPresent(text -> decided.put("comment", text));
            return payload;
        }
    }

    private Future<ApiReply> decide(ApiCall call, Decision decision) {
        var deadlineMs = call.deadlineMs();
        return bus.ask(new Runs.ProjectOf(decision.runId()), deadlineMs)
                .compose(projectId ->
                        bus.ask(new Waitpoints.FindWaiting(projectId, Optional.of(decision.runId())), deadlineMs))
                .compose(waiting -> waiting.isEmpty()
                        ? Future.failedFuture(notWaiting(decision.runId()))
                        : step(waiting.getFirst(), deadlineMs)
                                .compose(step -> step.isEmpty()
                                        ? Future.<Resumed>failedFuture(notWaiting(decision.runId()))
                                        : bus.ask(
                                                Waitpoints.addressOf(shards, decision.runId()),
                                                new Waitpoints.Resume(
                                                        decision.runId(),
                                                        new Waitpoints.Target.OfWaitpoint(waiting.getFirst()
                                                                .waitpointId()),
                                                        decision.payload(
                                                                call.principal().userIdOrNull()),
                                                        false),
                                                deadlineMs)))
                .map(resumed -> {
                    if (resumed instanceof Resumed.Recorded || resumed instanceof Resumed.Answered) {
                        return ApiReply.empty();
                    }
                    throw notWaiting(decision.runId());
                });
    }

    private static ApiException notWaiting(String runId) {
        return ApiException.of(
                ErrorCode.VALIDATION,
                "run " + runId + " does not wait for an approval: it was decided already, or ended");
    }
}
