package io.millrace.integration.mcp;

import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.ClientAddress;
import io.millrace.base.http.Input;
import io.millrace.base.http.NamedAuthority;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.engine.agent.AgentRunAccess;
import io.millrace.integration.mcp.tool.FlowTools;
import io.millrace.integration.mcp.tool.OwnTools;
import io.millrace.integration.mcp.tool.RunWait;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Routes of MCP: the server of a project (contract flows-and-engine 28.1), and the endpoints that clients call. */
public final class McpRoutes implements RouteGroup {
    private static final String DISABLED_TOOLS = "disabledTools";
    private static final String PINNED_TOOLS = "pinnedTools";

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
            AgentRunAccess agents,
            InstantSource clock) {
        this.bus = bus;
        this.config = config;
        this.publicUrl = publicUrl;
        this.version = version;
        this.flows = new FlowTools(bus, config.runs().webhooks().timeout().toMillis(), clock);
        var waitMs = config.runs().engine().timeouts().flow().toMillis();
        var own = OwnTools.all(
                bus, new RunWait(bus, waitMs), agents, config.runs().agents().saved(), waitMs);
        this.toolbox = new Toolbox(bus, own, flows, config.runs().agents().mcpToolsListedMax());
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/mcp/:projectId", in(Permission.READ_MCP), input -> input.id("projectId"), this::get);
        routes.post("/v1/mcp/:projectId", in(Permission.WRITE_MCP), Update::read, this::update);
        routes.post(
                "/v1/mcp/:projectId/rotate", in(Permission.WRITE_MCP), input -> input.id("projectId"), this::rotate);
        routes.get("/v1/mcp/:projectId/tools", in(Permission.READ_MCP), input -> input.id("projectId"), this::tools);
        endpoint(routes).mount();
    }

    private McpEndpointRoutes endpoint(Routes routes) {
        var clients = new ClientAddress(config.network().http().proxies());
        var authority = new NamedAuthority(config.network().http(), publicUrl);
        var door = new McpAuthenticator(
                bus, publicUrl, config.network().http().origins().mcp());
        return new McpEndpointRoutes(bus, routes, clients, authority, door, new McpProtocol(bus, toolbox, version));
    }

    private static Access in(Permission permission) {
        return Access.projectInPath("projectId", permission);
    }

    private Future<ApiReply> get(ApiCall call, String projectId) {
        return show(call, projectId);
    }

    private record Update(
            String projectId, FieldChange<List<String>> disabledTools, Optional<List<String>> pinnedTools) {
        static Update read(Input input) {
            var body = input.body();
            return new Update(
                    input.id("projectId"),
                    readDisabled(body),
                    ToolNameList.read(body, PINNED_TOOLS, ToolNameList.PINNED_MAX));
        }

        private static FieldChange<List<String>> readDisabled(Fields body) {
            if (body.raw(DISABLED_TOOLS).isNull()) {
                return FieldChange.to(null);
            }
            return ToolNameList.read(body, DISABLED_TOOLS, ToolNameList.DISABLED_MAX)
                    .<FieldChange<List<String>>>map(FieldChange::to)
                    .orElseGet(FieldChange::keep);
        }
    }

    private Future<ApiReply> update(ApiCall call, Update wanted) {
        return bus.ask(
                        new McpServers.Update(
                                call.principal(), wanted.projectId(), wanted.disabledTools(), wanted.pinnedTools()),
                        call.deadlineMs())
                .compose(_ -> show(call, wanted.projectId()));
    }

    private Future<ApiReply> rotate(ApiCall call, String projectId) {
        return bus.ask(new McpServers.Rotate(call.principal(), projectId), call.deadlineMs())
                .compose(_ -> show(call, projectId));
    }

    private Future<ApiReply> tools(ApiCall call, String projectId) {
        return bus.ask(new McpServers.Get(projectId), call.deadlineMs())
                .compose(server -> toolbox.all(projectId).map(tools -> {
                    var listed = Json.array();
                    tools.forEach(tool -> listed.add(tool.toListing(server.offers(tool))));
                    return ApiReply.ok(listed);
                }));
    }

    private Future<ApiReply> show(ApiCall call, String projectId) {
        return bus.ask(new McpServers.Show(call.principal(), projectId), call.deadlineMs())
                .compose(shown -> flows.flows(projectId)
                        .map(listed -> ApiReply.deep(200, shown.server().toJson(listed, shown.withToken()))));
    }
}
