package io.millrace.engine.run.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.RetryStrategy;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunQueries;
import io.vertx.core.Future;
import java.util.List;

/** HTTP routes that retry, cancel and archive runs (contract flows-and-engine 5.6, 5.7). */
public final class RunAdministrationRoutes implements RouteGroup {
    private final Bus bus;

    public RunAdministrationRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var inBody = Access.projectInBody(Permission.WRITE_RUN);
        var ofRun = Access.projectOfRow(Permission.WRITE_RUN, RunQueries.ProjectOf::new);
        routes.post("/v1/flow-runs/retry", inBody, RunAdministrationRoutes::readRetryAll, this::retryAll);
        routes.post("/v1/flow-runs/cancel", inBody, RunAdministrationRoutes::readCancel, this::cancel);
        routes.post("/v1/flow-runs/archive", inBody, RunAdministrationRoutes::readArchive, this::archive);
        routes.post("/v1/flow-runs/:id/retry", ofRun, RunAdministrationRoutes::readRetry, this::retry);
    }

    private record RetryRequest(String projectId, String runId, RetryStrategy strategy) {}

    private record RetryAllRequest(RunQueries.Filter filter, RetryStrategy strategy) {}

    private static RetryRequest readRetry(Input input) {
        var body = input.body();
        return new RetryRequest(
                body.text("projectId", Ids.PATTERN), input.id("id"), body.option("strategy", RetryStrategy.class));
    }

    private Future<ApiReply> retry(ApiCall call, RetryRequest wanted) {
        var retry = new RunCommands.Retry(
                wanted.projectId(),
                wanted.runId(),
                wanted.strategy(),
                call.principal().userIdOrNull());
        return bus.ask(retry, call.deadlineMs()).map(run -> ApiReply.ok(run.toJson(call.principal())));
    }

    private static RetryAllRequest readRetryAll(Input input) {
        var body = input.body();
        return new RetryAllRequest(RunFilterReader.ofRetry(body), body.option("strategy", RetryStrategy.class));
    }

    private Future<ApiReply> retryAll(ApiCall call, RetryAllRequest wanted) {
        var retry = new RunCommands.RetryAll(
                wanted.filter(), wanted.strategy(), call.principal().userIdOrNull());
        return bus.ask(retry, call.deadlineMs()).map(outcomes -> outcomesReply(outcomes, call.principal()));
    }

    private static ApiReply outcomesReply(List<RunCommands.RetryOutcome> outcomes, Principal reader) {
        var body = Json.array();
        outcomes.forEach(outcome -> body.add(outcomeJson(outcome, reader)));
        return ApiReply.ok(body);
    }

    private static ObjectNode outcomeJson(RunCommands.RetryOutcome outcome, Principal reader) {
        var json = outcome.run().toJson(reader);
        if (outcome.refusal() != null) {
            json.putObject("error")
                    .put("errorCode", outcome.refusal().code().name())
                    .put("errorMessage", outcome.refusal().text());
        }
        return json;
    }

    private static RunCommands.Cancel readCancel(Input input) {
        return new RunCommands.Cancel(RunFilterReader.ofCancel(input.body()));
    }

    private Future<ApiReply> cancel(ApiCall call, RunCommands.Cancel cancel) {
        return bus.ask(cancel, call.deadlineMs()).map(_ -> ApiReply.okEmpty());
    }

    private static RunCommands.Archive readArchive(Input input) {
        return new RunCommands.Archive(RunFilterReader.ofArchive(input.body()));
    }

    private Future<ApiReply> archive(ApiCall call, RunCommands.Archive archive) {
        return bus.ask(archive, call.deadlineMs()).map(_ -> ApiReply.okEmpty());
    }
}
