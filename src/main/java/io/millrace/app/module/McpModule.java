package io.millrace.app.module;

import io.millrace.account.identity.signin.SignInLimit;
import io.millrace.base.http.NamedAuthority;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.net.HostClass;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.RowBound;
import io.millrace.engine.agent.AgentRunAccess;
import io.millrace.integration.mcp.AgentToolRoutes;
import io.millrace.integration.mcp.CustomServerRoutes;
import io.millrace.integration.mcp.CustomServerService;
import io.millrace.integration.mcp.McpRoutes;
import io.millrace.integration.mcp.McpServerService;
import io.millrace.integration.mcp.McpSessionService;
import io.millrace.workspace.authorizationserver.ActiveGrantService;
import io.millrace.workspace.authorizationserver.GrantRoutes;
import io.millrace.workspace.authorizationserver.GrantService;
import io.millrace.workspace.authorizationserver.TokenExchangeService;
import java.util.List;

final class McpModule implements ServerModule {
    private final ServerContext context;
    private final AgentRunAccess agents;
    private final SignInLimit registrationLimit;
    private final List<BusService> busServices;

    McpModule(ServerContext context, AgentRunAccess agents, SignInLimit registrationLimit) {
        this.agents = agents;
        this.context = context;
        this.registrationLimit = registrationLimit;
        var bus = context.bus();
        var database = context.database();
        var clock = context.clock();
        busServices = List.of(
                new McpServerService(
                        bus,
                        database,
                        context.security().box(),
                        context.security().auditLog(),
                        clock),
                new CustomServerService(
                        bus,
                        database,
                        context.security().auditLog(),
                        new RowBound(context.config().content().bounds().mcpServersMax(), "AP_MCP_SERVERS_MAX"),
                        clock),
                new McpSessionService(bus, database, clock));
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<BusService> oauthServices() {
        return List.of(
                new GrantService(
                        context.bus(), context.database(), context.security().tokens(), context.clock()),
                new TokenExchangeService(
                        context.database(),
                        context.security().tokens(),
                        context.security().auditLog(),
                        context.config().people().signIn().mcpRefreshGrace(),
                        context.clock()),
                new ActiveGrantService(context.database(), context.clock()));
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        var config = context.config();
        var authority =
                new NamedAuthority(config.network().http(), context.network().publicUrl());
        return List.of(
                new GrantRoutes(bus, context.network().publicUrl(), authority, registrationLimit::admit),
                new McpRoutes(
                        bus, config, context.network().publicUrl(), ServerContext.VERSION, agents, context.clock()),
                new CustomServerRoutes(bus),
                new AgentToolRoutes(context.network().outbound().toHosts(HostClass.MCP_SERVER)));
    }
}
