package io.millrace.engine.webhook;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.Approvals;
import io.millrace.engine.run.Approvals.Verdict;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.Waitpoints.ResumeResult;
import io.millrace.engine.run.Waitpoints.WaitingRun;
import io.millrace.engine.run.Waitpoints.WaitingStep;
import io.vertx.core.Future;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Approvals that wait in a project, and decisions on them by members with WRITE_RUN (decision 0470). The first decision on
 * the older action counts; a request for approval counts one decision of each approver.
 */
public final class ApprovalRoutes implements RouteGroup {
    private static final String PIECE = "@activepieces/piece-approval";
    private static final String LEGACY_ACTION = "wait_for_approval";
    private static final String ACTION = "request_approval";
    private static final int COMMENT_LENGTH_MAX = 2_000;

    /** Limit of approvals in one response: each one of the older action costs a request to its run. */
    private static final int LISTED_MAX = 50;

    private static final int COUNTED_MAX = 100;

    private final Bus bus;
    private final RunShards shards;

    public ApprovalRoutes(Bus bus, RunShards shards) {
        this.bus = bus;
        this.shards = shards;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/approvals", Access.projectInQuery(Permission.READ_RUN), ListRequest::read, this::list);
        routes.get(
                "/v1/approvals/count",
                Access.projectInQuery(Permission.WRITE_RUN),
                input -> input.query().text("projectId", Ids.PATTERN),
                this::count);
        routes.post(
                "/v1/flow-runs/:id/decision",
                Access.projectOfRow(Permission.WRITE_RUN, RunQueries.ProjectOf::new),
                Decision::read,
                this::decide);
    }

    /**
     * Requested page of approvals.
     *
     * @param canDecide only those that the caller can decide
     */
    private record ListRequest(Waitpoints.FindWaitingSteps wanted, boolean canDecide, PageRequest page) {
        static ListRequest read(Input input) {
            var query = input.query();
            query.optionalInteger("limit", 1, LISTED_MAX);
            return new ListRequest(
                    new Waitpoints.FindWaitingSteps(
                            query.text("projectId", Ids.PATTERN), query.optionalText("flowRunId", Ids.PATTERN)),
                    query.optionalFlag("canDecide").orElse(false),
                    query.page(LISTED_MAX));
        }
    }

    private Future<ApiReply> list(ApiCall call, ListRequest request) {
        var reader = Optional.ofNullable(call.principal().userIdOrNull());
        var decider = request.canDecide() ? Optional.of(reader.orElse("")) : Optional.<String>empty();
        var wanted = request.wanted();
        var deadlineMs = call.deadlineMs();
        return steps(wanted, deadlineMs)
                .compose(steps -> runs(wanted, steps, decider, request.page(), deadlineMs)
                        .compose(runs -> approvals(wanted, reader, runs.data(), steps, deadlineMs)
                                .map(found -> new Page<>(found, runs.next(), runs.previous()))))
                .map(page -> ApiReply.page(page, approval -> approval));
    }

    private Future<ApiReply> count(ApiCall call, String projectId) {
        var wanted = new Waitpoints.FindWaitingSteps(projectId, Optional.empty());
        var decider = Optional.ofNullable(call.principal().userIdOrNull()).orElse("");
        return steps(wanted, call.deadlineMs())
                .compose(steps -> steps.isEmpty()
                        ? Future.succeededFuture(0)
                        : bus.ask(
                                new Waitpoints.CountWaiting(
                                        projectId, List.copyOf(steps.keySet()), decider, COUNTED_MAX),
                                call.deadlineMs()))
                .map(count -> ApiReply.ok(IntNode.valueOf(count)));
    }

    private Future<List<ObjectNode>> approvals(
            Waitpoints.FindWaitingSteps wanted,
            Optional<String> reader,
            List<WaitingRun> runs,
            Map<WaitingStep, Step> steps,
            long deadlineMs) {
        return tasks(wanted, reader, runs, deadlineMs)
                .compose(tasks -> Future.all(runs.stream()
                                .map(run -> approval(run, steps, tasks, deadlineMs))
                                .toList())
                        .map(all -> all.<Optional<ObjectNode>>list().stream()
                                .flatMap(Optional::stream)
                                .toList()));
    }

    /** Approvals with approvers by waitpoint; the older action has none. */
    private Future<Map<String, Approvals.ApprovalEntry>> tasks(
            Waitpoints.FindWaitingSteps wanted, Optional<String> reader, List<WaitingRun> runs, long deadlineMs) {
        var ids = runs.stream().map(WaitingRun::waitpointId).toList();
        return ids.isEmpty()
                ? Future.succeededFuture(Map.of())
                : bus.ask(new Approvals.Find(wanted.projectId(), reader, ids), deadlineMs)
                        .map(found -> found.stream()
                                .collect(Collectors.toMap(each -> each.task().waitpointId(), each -> each)));
    }

    private Future<Page<WaitingRun>> runs(
            Waitpoints.FindWaitingSteps wanted,
            Map<WaitingStep, Step> steps,
            Optional<String> decider,
            PageRequest page,
            long deadlineMs) {
        return steps.isEmpty()
                ? Future.succeededFuture(Page.whole(List.of()))
                : bus.ask(
                        new Waitpoints.FindWaiting(
                                wanted.projectId(), wanted.runId(), List.copyOf(steps.keySet()), decider, page),
                        deadlineMs);
    }

    /** Empty for a run that has ended meanwhile. */
    private Future<Optional<ObjectNode>> approval(
            WaitingRun run, Map<WaitingStep, Step> steps, Map<String, Approvals.ApprovalEntry> tasks, long deadlineMs) {
        var step = steps.get(new WaitingStep(run.flowVersionId(), run.stepName()));
        var task = tasks.get(run.waitpointId());
        if (task != null) {
            var json = toJson(run, step);
            json.set("request", toJson(task));
            return Future.succeededFuture(Optional.of(json));
        }
        var look = new Waitpoints.Look(run.runId(), new Waitpoints.Target.OfWaitpoint(run.waitpointId()));
        return unlessGone(bus.ask(look, deadlineMs).map(view -> {
            var json = toJson(run, step);
            view.question().ifPresent(question -> json.set("input", question.input()));
            return json;
        }));
    }

    /** The approval steps at which runs wait; without those of flows that were deleted meanwhile. */
    private Future<Map<WaitingStep, Step>> steps(Waitpoints.FindWaitingSteps wanted, long deadlineMs) {
        return bus.ask(wanted, deadlineMs).compose(waiting -> {
            var found = new HashMap<WaitingStep, Step>();
            var versions = waiting.stream()
                    .map(WaitingStep::flowVersionId)
                    .distinct()
                    .map(id -> unlessGone(bus.ask(new Flows.GetVersion(id), deadlineMs)))
                    .toList();
            return Future.all(versions).map(all -> {
                var byId = all.<Optional<FlowVersion>>list().stream()
                        .flatMap(Optional::stream)
                        .collect(Collectors.toMap(FlowVersion::id, version -> version, (first, _) -> first));
                for (var place : waiting) {
                    Optional.ofNullable(byId.get(place.flowVersionId()))
                            .flatMap(version -> version.steps().find(place.stepName()))
                            .filter(ApprovalRoutes::isApproval)
                            .ifPresent(step -> found.put(place, step));
                }
                return found;
            });
        });
    }

    private static <T> Future<Optional<T>> unlessGone(Future<T> read) {
        return read.map(Optional::of)
                .recover(failure -> ApiException.isNotFound(failure)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }

    private static boolean isApproval(Step step) {
        var settings = step.settings();
        return settings.path("pieceName").asText().equals(PIECE)
                && Set.of(ACTION, LEGACY_ACTION)
                        .contains(settings.path("actionName").asText());
    }

    private static ObjectNode toJson(Approvals.ApprovalEntry listed) {
        var task = listed.task();
        var json = Json.object();
        json.setAll(task.shown());
        var approvers = json.putArray("approvers");
        task.approvers().forEach(approvers::add);
        task.role().ifPresent(role -> json.put("role", role));
        json.put("approvalsNeeded", task.approvalsNeeded()).put("declinesNeeded", task.declinesNeeded());
        var decisions = json.putArray("decisions");
        task.decisions().forEach(decision -> decisions.add(decision.toJson()));
        return json.put("canDecide", listed.canDecide());
    }

    private static ObjectNode toJson(WaitingRun run, Step step) {
        var json = Json.object()
                .put("flowRunId", run.runId())
                .put("flowId", run.flowId())
                .put("flowDisplayName", run.flowName())
                .put("stepName", run.stepName())
                .put("stepDisplayName", step.displayName())
                .put("since", Json.timestamp(run.since()));
        run.end().ifPresent(end -> json.put("deadline", Json.timestamp(end)));
        return json;
    }

    private record Decision(String runId, Verdict verdict, Optional<String> comment, ObjectNode answers) {
        static Decision read(Input input) {
            var body = input.body();
            var comment = body.optionalText("comment");
            if (comment.filter(text -> text.length() > COMMENT_LENGTH_MAX).isPresent()) {
                body.refuse("comment", "Too big: expected string to have <=" + COMMENT_LENGTH_MAX + " characters");
            }
            return new Decision(
                    input.id("id"),
                    body.option("decision", Verdict.class),
                    comment,
                    body.optionalObject("answers").orElseGet(Json::object));
        }

        Approvals.Decide by(String userId) {
            return new Approvals.Decide(
                    runId,
                    new Approvals.Approver.Member(userId),
                    new Approvals.Vote(verdict, comment.orElse(""), answers));
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
        return bus.ask(new RunQueries.ProjectOf(decision.runId()), deadlineMs)
                .map(projectId -> new Waitpoints.FindWaitingSteps(projectId, Optional.of(decision.runId())))
                .compose(wanted -> steps(wanted, deadlineMs)
                        .compose(steps -> runs(
                                        wanted, steps, Optional.empty(), new PageRequest(1, null, false), deadlineMs)
                                .compose(runs -> runs.data().isEmpty()
                                        ? Future.failedFuture(notWaiting(decision.runId()))
                                        : decide(call, decision, runs.data().getFirst(), steps))));
    }

    private Future<ApiReply> decide(ApiCall call, Decision decision, WaitingRun run, Map<WaitingStep, Step> steps) {
        var step = steps.get(new WaitingStep(run.flowVersionId(), run.stepName()));
        var userId = call.principal().userIdOrNull();
        if (!step.settings().path("actionName").asText().equals(ACTION)) {
            return resume(decision, run, userId, call.deadlineMs());
        }
        return userId == null
                ? Future.failedFuture(ApiException.of(
                        ErrorCode.VALIDATION, "an approval is decided by a user; sign in as one of its approvers"))
                : bus.ask(decision.by(userId), call.deadlineMs()).map(ApiReply.empty());
    }

    private Future<ApiReply> resume(Decision decision, WaitingRun run, String userId, long deadlineMs) {
        var resume = new Waitpoints.Resume(
                decision.runId(),
                new Waitpoints.Target.OfWaitpoint(run.waitpointId()),
                decision.payload(userId),
                false);
        return bus.ask(Waitpoints.addressOf(shards, decision.runId()), resume, deadlineMs)
                .map(resumed -> {
                    if (resumed instanceof ResumeResult.Recorded || resumed instanceof ResumeResult.Answered) {
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
