package io.millrace.integration.mcp;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;

/** Routes of the custom MCP servers of a project. A token is shown only in the answer that issues it. */
public final class CustomServerRoutes implements RouteGroup {
    private static final String SERVERS = "/v1/mcp/:projectId/servers";
    private static final String SERVER = SERVERS + "/:id";
    private static final String NAME = "displayName";
    private static final int PAGE_LIMIT_DEFAULT = 10;

    private final Bus bus;

    public CustomServerRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var read = Access.projectInPath("projectId", Permission.READ_MCP);
        var write = Access.projectInPath("projectId", Permission.WRITE_MCP);
        routes.get(SERVERS, read, input -> input.query().page(PAGE_LIMIT_DEFAULT), this::list);
        routes.post(SERVERS, write, Parameters::read, this::create);
        routes.get(SERVER, read, input -> input.id("id"), this::get);
        routes.post(SERVER, write, Update::read, this::update);
        routes.post(SERVER + "/rotate", write, input -> input.id("id"), this::rotate);
        routes.delete(SERVER, write, input -> input.id("id"), this::delete);
    }

    private record Parameters(String displayName, ToolSelection.Change selection) {
        static Parameters read(Input input) {
            return new Parameters(readName(input.body()), ToolSelection.Change.read(input.body()));
        }
    }

    private record Update(String id, Optional<String> displayName, ToolSelection.Change selection) {
        static Update read(Input input) {
            var body = input.body();
            var name = body.isAbsent(NAME) ? Optional.<String>empty() : Optional.of(readName(body));
            return new Update(input.id("id"), name, ToolSelection.Change.read(body));
        }
    }

    private static String readName(Fields body) {
        return body.text(NAME, 1, CustomServer.NAME_LENGTH_MAX);
    }

    private Future<ApiReply> list(ApiCall call, PageRequest page) {
        return bus.ask(new CustomServers.ListOf(call.projectId(), page), call.deadlineMs())
                .map(servers -> ApiReply.page(servers, CustomServer::toJson));
    }

    private Future<ApiReply> create(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new CustomServers.Create(
                                call.principal(), call.projectId(), parameters.displayName(), parameters.selection()),
                        call.deadlineMs())
                .map(issued -> ApiReply.created(issued.toJson()));
    }

    private Future<ApiReply> get(ApiCall call, String id) {
        return bus.ask(new CustomServers.Find(call.projectId(), id), call.deadlineMs())
                .map(server -> ApiReply.ok(server.toJson()));
    }

    private Future<ApiReply> update(ApiCall call, Update wanted) {
        return bus.ask(
                        new CustomServers.Update(
                                call.principal(),
                                call.projectId(),
                                wanted.id(),
                                wanted.displayName(),
                                wanted.selection()),
                        call.deadlineMs())
                .map(server -> ApiReply.ok(server.toJson()));
    }

    private Future<ApiReply> rotate(ApiCall call, String id) {
        return bus.ask(new CustomServers.Rotate(call.principal(), call.projectId(), id), call.deadlineMs())
                .map(issued -> ApiReply.ok(issued.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new CustomServers.Delete(call.principal(), call.projectId(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}
