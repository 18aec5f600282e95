package io.millrace.engine.action;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.IdempotencyKey;
import io.millrace.engine.run.RunStatus;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * HTTP routes of runs of single actions (decision 0460). A caller chooses any action and any connection of the project,
 * as an author of a flow does, and so needs the same permission.
 */
public final class ActionRunRoutes implements RouteGroup {
    private static final int PAGE_LIMIT = 10;
    private static final Pattern EXACT_VERSION = Pattern.compile("^[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}$");

    private static final String ASYNC = "async";
    private static final String FAIL = "fail";
    private static final Pattern MODE = Pattern.compile("^(sync|async|SYNC|ASYNC)$");
    private static final Pattern ON_CRASH = Pattern.compile("^(retry|fail|RETRY|FAIL)$");

    /** Time for the start and for the record of the end, beyond that of the action. */
    private static final long MARGIN_MS = 10_000;

    private final Bus bus;
    private final long timeoutMaxMs;

    /** @param timeoutMax longest time of an action (AP_FLOW_TIMEOUT_SECONDS) */
    public ActionRunRoutes(Bus bus, Duration timeoutMax) {
        this.bus = bus;
        this.timeoutMaxMs = timeoutMax.toMillis();
    }

    @Override
    public void mount(Routes routes) {
        routes.withOwnKeys()
                .post(
                        "/v1/actions/run",
                        Access.projectInBody(Permission.WRITE_FLOW),
                        input -> Parameters.read(input, timeoutMaxMs / 1_000),
                        this::run);
        routes.get("/v1/actions/runs", Access.projectInQuery(Permission.READ_RUN), RunFilter::read, this::list);
        routes.get(
                "/v1/actions/runs/:id",
                Access.projectOfRow(Permission.READ_RUN, ActionRuns.ProjectOf::new),
                input -> input.id("id"),
                this::get);
    }

    private enum Mode {
        SYNC,
        ASYNC
    }

    private record Parameters(
            String projectId,
            ActionRuns.Start.ActionCall action,
            Mode mode,
            Optional<Integer> timeoutSeconds,
            ActionRun.OnCrash onCrash) {
        static Parameters read(Input input, long secondsMax) {
            var body = input.body();
            return new Parameters(
                    body.text("projectId", Ids.PATTERN),
                    new ActionRuns.Start.ActionCall(
                            body.text("pieceName", 1, Fields.NAME_LENGTH_MAX),
                            body.optionalText("pieceVersion", EXACT_VERSION),
                            body.text("actionName", 1, Fields.NAME_LENGTH_MAX),
                            body.optionalObject("input").orElseGet(Json::object),
                            body.optionalText("connectionExternalId")),
                    body.optionalText("mode", MODE)
                            .filter(ASYNC::equalsIgnoreCase)
                            .map(_ -> Mode.ASYNC)
                            .orElse(Mode.SYNC),
                    body.optionalInteger("timeoutSeconds", 1, Math.toIntExact(secondsMax)),
                    body.optionalText("onCrash", ON_CRASH)
                            .filter(FAIL::equalsIgnoreCase)
                            .map(_ -> ActionRun.OnCrash.FAIL)
                            .orElse(ActionRun.OnCrash.RETRY));
        }
    }

    private Future<ApiReply> run(ApiCall call, Parameters parameters) {
        var start = new ActionRuns.Start(
                call.principal().platform(),
                parameters.projectId(),
                Optional.ofNullable(call.principal().userIdOrNull()),
                parameters.action(),
                ActionRun.Origin.API,
                parameters.timeoutSeconds(),
                parameters.onCrash(),
                Optional.ofNullable(IdempotencyKey.in(call.context().request().headers())));
        return bus.ask(start, Math.max(call.deadlineMs(), MARGIN_MS))
                .compose(run ->
                        parameters.mode() == Mode.SYNC && !run.run().status().isTerminal()
                                ? awaited(run, parameters.timeoutSeconds().map(seconds -> seconds * 1_000L))
                                : Future.succeededFuture(run))
                .map(run -> reply(run.run().status().isTerminal() ? 200 : 202, run));
    }

    private Future<ActionRun.Details> awaited(ActionRun.Details run, Optional<Long> givenMs) {
        var waitMs = givenMs.orElse(timeoutMaxMs) + MARGIN_MS;
        return bus.ask(new ActionRuns.Await(run.run().id(), waitMs), waitMs + MARGIN_MS);
    }

    private static ApiReply reply(int status, ActionRun.Details run) {
        return ApiReply.json(status, run.toJson());
    }

    private record RunFilter(ActionRuns.Find find) {
        static RunFilter read(Input input) {
            var query = input.query();
            PageRequest page = query.page(PAGE_LIMIT);
            return new RunFilter(new ActionRuns.Find(
                    query.text("projectId", Ids.PATTERN),
                    query.optionalText("pieceName"),
                    query.optionalText("actionName"),
                    query.optionalOption("status", RunStatus.class),
                    page));
        }
    }

    private Future<ApiReply> list(ApiCall call, RunFilter filter) {
        return bus.ask(filter.find(), call.deadlineMs()).map(page -> ApiReply.page(page, ActionRun::toJson));
    }

    private Future<ApiReply> get(ApiCall call, String id) {
        return bus.ask(new ActionRuns.Get(id), call.deadlineMs()).map(run -> reply(200, run));
    }
}
