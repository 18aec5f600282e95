package io.millrace.engine.run.query;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.run.IdempotencyKey;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunCommands;
import io.vertx.core.Future;
import java.util.function.BiFunction;
import java.util.regex.Pattern;

/**
 * HTTP routes for starts by hand. The test of a step is the contract's (flows-and-engine 5.9); for whole flows the
 * contract defines the channel only, and a client without one needs a route too.
 */
public final class RunStartRoutes implements RouteGroup {
    /** Strict, unlike other flags of a query: another value must not start a run. */
    private static final Pattern TRUE_OR_FALSE = Pattern.compile("true|false");

    private final Bus bus;

    public RunStartRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var starts = routes.withOwnKeys();
        starts.post(
                "/v1/flow-runs",
                Access.projectInBody(Permission.WRITE_RUN),
                RunStartRoutes::readStart,
                this::startFlow);
        starts.post(
                "/v1/flow-runs/test",
                Access.projectInBody(Permission.WRITE_FLOW),
                RunStartRoutes::readTestFlow,
                this::start);
        starts.post(
                "/v1/sample-data/test-step",
                Access.projectInBody(Permission.WRITE_FLOW),
                RunStartRoutes::readTestStep,
                this::start);
    }

    /** A start without its caller: adds the id of a user, or null for an API key; and the key, or null. */
    private interface Parameters extends BiFunction<String, String, BusRequest<Run>> {}

    private record ManualStart(String projectId, String flowId, JsonNode payload, boolean isDryRun) {}

    private static ManualStart readStart(Input input) {
        var body = input.body();
        return new ManualStart(
                body.text("projectId", Ids.PATTERN),
                body.text("flowId", Ids.PATTERN),
                body.isAbsent("payload") ? Json.object() : body.raw("payload"),
                input.query()
                        .optionalText("dryRun", TRUE_OR_FALSE)
                        .filter("true"::equals)
                        .isPresent());
    }

    private Future<ApiReply> startFlow(ApiCall call, ManualStart wanted) {
        return wanted.isDryRun()
                ? bus.ask(
                                new RunCommands.Rehearse(wanted.projectId(), wanted.flowId(), wanted.payload()),
                                call.deadlineMs())
                        .map(ApiReply::ok)
                : start(
                        call,
                        (by, key) -> new RunCommands.StartFlow(
                                wanted.projectId(), wanted.flowId(), wanted.payload(), by, key));
    }

    private static Parameters readTestFlow(Input input) {
        var body = input.body();
        var projectId = body.text("projectId", Ids.PATTERN);
        var versionId = body.text("flowVersionId", Ids.PATTERN);
        return (by, key) -> new RunCommands.TestFlow(projectId, versionId, by, key);
    }

    private static Parameters readTestStep(Input input) {
        var body = input.body();
        var projectId = body.text("projectId", Ids.PATTERN);
        var versionId = body.text("flowVersionId", Ids.PATTERN);
        var stepName = body.text("stepName");
        return (by, key) -> new RunCommands.TestStep(projectId, versionId, stepName, by, key);
    }

    private Future<ApiReply> start(ApiCall call, Parameters parameters) {
        var key = IdempotencyKey.in(call.context().request().headers());
        return bus.ask(parameters.apply(call.principal().userIdOrNull(), key), call.deadlineMs())
                .map(run -> ApiReply.ok(run.toJson(call.principal())));
    }
}
