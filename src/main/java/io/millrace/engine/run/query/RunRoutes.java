package io.millrace.engine.run.query;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.vertx.core.Future;
import java.util.Map;

/** HTTP routes that read runs (contract flows-and-engine 5.3 to 5.5). */
public final class RunRoutes implements RouteGroup {
    private static final int PAGE_LIMIT = 10;

    private static final int LATEST_FLOWS_MAX = 100;

    private static final int LATEST_LIMIT = 12;
    private static final int LATEST_LIMIT_MAX = 50;

    private final Bus bus;

    public RunRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var inQuery = Access.projectInQuery(Permission.READ_RUN);
        var ofRun = Access.projectOfRow(Permission.READ_RUN, RunQueries.ProjectOf::new);
        routes.get("/v1/flow-runs", inQuery, RunRoutes::readList, this::list);
        routes.get("/v1/flow-runs/latest", inQuery, RunRoutes::readLatest, this::latest);
        routes.get(
                "/v1/flow-runs/count-by-status",
                inQuery,
                input -> RunFilterReader.ofCount(input.query()),
                this::countByStatus);
        routes.get("/v1/flow-runs/:id/attempts", ofRun, input -> input.id("id"), this::attempts);
        routes.get("/v1/flow-runs/:id", ofRun, input -> input.id("id"), this::get);
    }

    private record RunListRequest(RunQueries.Filter filter, PageRequest page) {}

    private static RunListRequest readList(Input input) {
        var query = input.query();
        return new RunListRequest(RunFilterReader.ofList(query), query.page(PAGE_LIMIT));
    }

    private Future<ApiReply> list(ApiCall call, RunListRequest wanted) {
        return bus.ask(new RunQueries.Find(wanted.filter(), wanted.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, run -> run.toJson(call.principal())));
    }

    private static RunQueries.FindLatest readLatest(Input input) {
        var query = input.query();
        var flowIds = query.texts("flowId");
        if (flowIds.size() > LATEST_FLOWS_MAX) {
            query.refuse("flowId", "Too big: expected array to have <=" + LATEST_FLOWS_MAX + " items");
        }
        return new RunQueries.FindLatest(
                query.text("projectId", Ids.PATTERN),
                flowIds,
                query.optionalInteger("limit", 1, LATEST_LIMIT_MAX).orElse(LATEST_LIMIT));
    }

    private Future<ApiReply> latest(ApiCall call, RunQueries.FindLatest wanted) {
        return bus.ask(wanted, call.deadlineMs()).map(runs -> {
            var body = Json.object();
            var data = body.putArray("data");
            runs.forEach(run -> data.add(run.toJson(call.principal())));
            return ApiReply.ok(body);
        });
    }

    private Future<ApiReply> countByStatus(ApiCall call, RunQueries.Filter filter) {
        return bus.ask(new RunQueries.CountByStatus(filter), call.deadlineMs()).map(RunRoutes::countsReply);
    }

    private static ApiReply countsReply(Map<RunStatus, Integer> counts) {
        var body = Json.object();
        var data = body.putArray("data");
        counts.forEach(
                (status, count) -> data.addObject().put("status", status.name()).put("count", count));
        return ApiReply.ok(body);
    }

    private Future<ApiReply> attempts(ApiCall call, String runId) {
        return bus.ask(new RunQueries.FindAttempts(runId), call.deadlineMs()).map(attempts -> {
            var body = Json.object();
            var data = body.putArray("data");
            attempts.forEach(attempt -> data.add(attempt.toJson(call.principal())));
            return ApiReply.ok(body);
        });
    }

    private Future<ApiReply> get(ApiCall call, String runId) {
        return bus.ask(new RunQueries.Get(call.principal(), runId), call.deadlineMs())
                .map(text -> ApiReply.text(200, text));
    }
}
