package io.millrace.integration.release;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** The route that replaces a whole project (contract admin-api 11). {@code dryRun} is an addition of this server. */
public final class ReplaceRoutes implements RouteGroup {
    private static final int CANNOT_LAND = 422;

    private final Bus bus;
    private final long deadlineMs;

    /** @param deadlineMs deadline of a replace, including the triggers of new flows */
    public ReplaceRoutes(Bus bus, long deadlineMs) {
        this.bus = bus;
        this.deadlineMs = deadlineMs;
    }

    @Override
    public void mount(Routes routes) {
        routes.postDeep(
                "/v1/projects/:id/replace",
                Access.projectInPath(Permission.WRITE_PROJECT_RELEASE),
                Parameters::read,
                this::replace);
    }

    private record Parameters(ProjectDocument document, boolean isDryRun) {
        static Parameters read(Input input) {
            input.id("id");
            var isDryRun = input.query().optionalFlag("dryRun").orElse(false);
            return new Parameters(ProjectDocument.read(input.body().orNull()), isDryRun);
        }
    }

    private Future<ApiReply> replace(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new Releases.Replace(
                                call.principal(), call.projectId(), parameters.document(), parameters.isDryRun()),
                        deadlineMs)
                .map(ReplaceRoutes::reply);
    }

    static ApiReply reply(ReplaceOutcome outcome) {
        return switch (outcome) {
            case ReplaceOutcome.Applied(var summary) -> ApiReply.ok(summary);
            case ReplaceOutcome.Refused(var errors) -> {
                var body = Json.object();
                var list = body.putArray("errors");
                errors.forEach(list::add);
                yield ApiReply.json(CANNOT_LAND, body);
            }
        };
    }
}
