package io.millrace.integration.release;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.regex.Pattern;

/** Routes of flows as code, an addition of this server: the definition of a project is read, compared and applied. */
public final class DefinitionRoutes implements RouteGroup {
    private static final Pattern REVISION = Pattern.compile("^[0-9a-f]{64}$");
    private static final String ALL = "/v1/projects/:id/definition";

    private final Bus bus;
    private final long deadlineMs;

    /** @param deadlineMs deadline of an application, including the triggers of its flows */
    public DefinitionRoutes(Bus bus, long deadlineMs) {
        this.bus = bus;
        this.deadlineMs = deadlineMs;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(ALL, Access.projectInPath(Permission.READ_FLOW), input -> input.id("id"), this::read);
        routes.get(ALL + "/drift", Access.projectInPath(Permission.READ_FLOW), input -> input.id("id"), this::drift);
        routes.get(
                "/v1/projects/:id/publications",
                Access.projectInPath(Permission.READ_FLOW),
                input -> input.id("id"),
                this::publications);
        routes.postDeep(
                ALL + "/plan",
                Access.projectInPath(Permission.WRITE_PROJECT_RELEASE),
                DefinitionRoutes::readDefinition,
                this::plan);
        routes.postDeep(
                ALL + "/apply", Access.projectInPath(Permission.WRITE_PROJECT_RELEASE), Application::read, this::apply);
    }

    private static ProjectDefinition readDefinition(Input input) {
        input.id("id");
        return ProjectDefinition.read(input.body().orNull());
    }

    private record Application(ProjectDefinition wanted, Optional<String> revision, boolean allowsDeletion) {
        static Application read(Input input) {
            var query = input.query();
            return new Application(
                    readDefinition(input),
                    query.optionalText("revision", REVISION),
                    query.optionalFlag("allowDeletion").orElse(false));
        }
    }

    private Future<ApiReply> read(ApiCall call, String projectId) {
        return bus.ask(new Definitions.Read(projectId), deadlineMs).map(json -> ApiReply.deep(200, json));
    }

    private Future<ApiReply> drift(ApiCall call, String projectId) {
        return bus.ask(new Definitions.Drift(projectId), deadlineMs).map(ApiReply::ok);
    }

    private Future<ApiReply> publications(ApiCall call, String projectId) {
        return bus.ask(new Definitions.FindUnpublished(projectId), deadlineMs).map(ApiReply::ok);
    }

    private Future<ApiReply> plan(ApiCall call, ProjectDefinition wanted) {
        return bus.ask(new Definitions.Plan(call.principal(), call.projectId(), wanted), deadlineMs)
                .map(ApiReply::ok);
    }

    private Future<ApiReply> apply(ApiCall call, Application application) {
        return bus.ask(
                        new Definitions.Apply(
                                call.principal(),
                                call.projectId(),
                                application.wanted(),
                                application.revision(),
                                application.allowsDeletion()),
                        deadlineMs)
                .map(ReplaceRoutes::reply);
    }
}
