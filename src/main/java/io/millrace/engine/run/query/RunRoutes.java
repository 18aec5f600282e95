package io.millrace.engine.run.query;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Runs;
import io.vertx.core.Future;
import java.util.Map;

/** HTTP routes that read runs (contract flows-and-engine 5.3 to 5.5). */
public final class RunRoutes implements RouteGroup {
    private static final int PAGE_LIMIT = 10;

    private final Bus bus;

    public RunRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var inQuery = Access.projectInQuery(Permission.READ_RUN);
        var ofRun = Access.projectOfRow(Permission.READ_RUN, Runs.ProjectOf::new);
        routes.get("/v1/flow-runs", inQuery, RunRoutes::readList, this::list);
        routes.get(
                "/v1/flow-runs/count-by-status",
                inQuery,
                input -> RunFilterReader.ofCount(input.query()),
                this::countByStatus);
        routes.get("/v1/flow-runs/:id", ofRun, input -> input.id("id"), this::get);
    }

    private record RunListRequest(Runs.Filter filter, PageRequest page) {}

    private static RunListRequest readList(Input input) {
        var query = input.query();
        return new RunListRequest(RunFilterReader.ofList(query), query.page(PAGE_LIMIT));
    }

    private Future<ApiReply> list(ApiCall call, RunListRequest wanted) {
        return bus.ask(new Runs.Find(wanted.filter(), wanted.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, run -> run.toJson(call.principal())));
    }

    private Future<ApiReply> countByStatus(ApiCall call, Runs.Filter filter) {
        return bus.ask(new Runs.CountByStatus(filter), call.deadlineMs()).map(RunRoutes::countsReply);
    }

    private static ApiReply countsReply(Map<RunStatus, Integer> counts) {
        var body = Json.object();
        var data = body.putArray("data");
        counts.forEach(
                (status, count) -> data.addObject().put("status", status.name()).put("count", count));
        return ApiReply.ok(body);
    }

    private Future<ApiReply> get(ApiCall call, String runId) {
        return bus.ask(new Runs.Get(call.principal(), runId), call.deadlineMs()).map(text -> ApiReply.text(200, text));
    }
}
