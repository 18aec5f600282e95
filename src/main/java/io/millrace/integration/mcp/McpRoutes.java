package io.millrace.integration.mcp;

import io.millrace.base.access.Access;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.FieldChange;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.ClientAddress;
import io.millrace.base.http.Input;
import io.millrace.base.http.NamedAuthority;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.agent.AgentRunAccess;
import io.millrace.engine.run.step.SingleActions;
import io.millrace.integration.mcp.tool.FlowTools;
import io.millrace.integration.mcp.tool.OwnTools;
import io.millrace.integration.mcp.tool.RunWait;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** Routes of MCP: the server of a project (contract flows-and-engine 28.1), and the endpoints that clients call. */
public final class McpRoutes implements RouteGroup {
    private static final String DISABLED_TOOLS = "disabledTools";
    private static final int DISABLED_TOOLS_MAX = 1_000;

    private final Bus bus;
    private final Config config;
    private final Supplier<String> publicUrl;
    private final String version;
    private final FlowTools flows;
    private final Toolbox toolbox;

    public McpRoutes(
            Bus bus,
            Config config,
            Supplier<String> publicUrl,
            String version,
            SingleActions actions,
            AgentRunAccess agents,
            InstantSource clock) {
        this.bus = bus;
        this.config = config;
        this.publicUrl = publicUrl;
        this.version = version;
        this.flows = new FlowTools(bus, config.webhooks().timeout().toMillis(), clock);
        var waitMs = config.engine().flowTimeout().toMillis();
        var own = OwnTools.all(
                bus, new RunWait(bus, waitMs), actions, agents, config.agents().saved(), waitMs);
        this.toolbox = new Toolbox(bus, own, flows);
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/mcp/:projectId", in(Permission.READ_MCP), input -> input.id("projectId"), this::get);
        routes.post("/v1/mcp/:projectId", in(Permission.WRITE_MCP), McpRoutes::readUpdate, this::update);
        routes.post(
                "/v1/mcp/:projectId/rotate", in(Permission.WRITE_MCP), input -> input.id("projectId"), this::rotate);
        routes.get("/v1/mcp/:projectId/tools", in(Permission.READ_MCP), input -> input.id("projectId"), this::tools);
        endpoint(routes).mount();
    }

    private McpEndpointRoutes endpoint(Routes routes) {
        var clients = new ClientAddress(config.http().proxies());
        var authority = new NamedAuthority(config.http(), publicUrl);
        var door = new McpAuthenticator(bus, publicUrl, config.http().mcpOrigins());
        return new McpEndpointRoutes(bus, routes, clients, authority, door, new McpProtocol(bus, toolbox, version));
    }

    private static Access in(Permission permission) {
        return Access.projectInPath("projectId", permission);
    }

    private Future<ApiReply> get(ApiCall call, String projectId) {
        return bus.ask(new McpServers.Get(projectId), call.deadlineMs()).compose(server -> show(call, server));
    }

    private static McpServers.Update readUpdate(Input input) {
        var projectId = input.id("projectId");
        var body = input.body();
        if (body.raw(DISABLED_TOOLS).isMissingNode()) {
            return new McpServers.Update(projectId, FieldChange.keep());
        }
        if (body.raw(DISABLED_TOOLS).isNull()) {
            return new McpServers.Update(projectId, FieldChange.to(null));
        }
        body.array(DISABLED_TOOLS);
        var names = body.raw(DISABLED_TOOLS).isArray() ? body.texts(DISABLED_TOOLS) : List.<String>of();
        if (names.size() > DISABLED_TOOLS_MAX) {
            body.refuse(DISABLED_TOOLS, "Too big: expected array to have <=" + DISABLED_TOOLS_MAX + " items");
        }
        return new McpServers.Update(projectId, FieldChange.to(names));
    }

    private Future<ApiReply> update(ApiCall call, McpServers.Update update) {
        return bus.ask(update, call.deadlineMs()).compose(server -> show(call, server));
    }

    private Future<ApiReply> rotate(ApiCall call, String projectId) {
        return bus.ask(new McpServers.Rotate(projectId), call.deadlineMs()).compose(server -> show(call, server));
    }

    private Future<ApiReply> tools(ApiCall call, String projectId) {
        return bus.ask(new McpServers.Get(projectId), call.deadlineMs())
                .compose(server -> toolbox.all(projectId).map(tools -> {
                    var listed = Json.array();
                    tools.forEach(tool -> listed.add(tool.toListing(!server.hides(tool.name()))));
                    return ApiReply.ok(listed);
                }));
    }

    private Future<ApiReply> show(ApiCall call, McpServer server) {
        return flows.flows(server.projectId())
                .compose(listed -> mayWrite(call).map(may -> server.toJson(listed, may)))
                .map(json -> ApiReply.deep(200, json));
    }

    /** Checks the write permission: the token allows its holder to build flows, so callers with read access must not get it. */
    private Future<Boolean> mayWrite(ApiCall call) {
        return bus.ask(new Gate.Enter(call.principal(), call.projectId(), Permission.WRITE_MCP), call.deadlineMs())
                .map(true)
                .recover(failure ->
                        failure instanceof ApiException refused && refused.code() == ErrorCode.PERMISSION_DENIED
                                ? Future.succeededFuture(false)
                                : Future.failedFuture(failure));
    }
}
