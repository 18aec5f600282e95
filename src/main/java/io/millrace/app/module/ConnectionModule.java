package io.millrace.app.module;

import io.millrace.authoring.flow.use.FlowConnectionChanges;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.net.HostClass;
import io.millrace.base.persistence.BusService;
import io.millrace.workspace.aiprovider.AiProviderRoutes;
import io.millrace.workspace.aiprovider.AiProviderService;
import io.millrace.workspace.aiprovider.AiToolRoutes;
import io.millrace.workspace.aiprovider.AiToolService;
import io.millrace.workspace.connection.ConnectionRoutes;
import io.millrace.workspace.connection.ConnectionServices;
import io.millrace.workspace.connection.ConnectionStates;
import io.millrace.workspace.connection.GlobalConnectionRoutes;
import io.millrace.workspace.connection.ProjectConnections;
import io.millrace.workspace.model.PlatformCredits;
import io.millrace.workspace.oauth.OAuthAppService;
import io.millrace.workspace.oauth.OAuthRoutes;
import io.millrace.workspace.secretmanager.SecretManagerRoutes;
import io.millrace.workspace.secretmanager.SecretManagerService;
import io.millrace.workspace.variable.VariableRoutes;
import io.millrace.workspace.variable.VariableService;
import java.util.ArrayList;
import java.util.List;

final class ConnectionModule implements ServerModule {
    private final ServerContext context;
    private final ConnectionServices connections;
    private final List<BusService> busServices;

    ConnectionModule(ServerContext context) {
        this.context = context;
        var bus = context.bus();
        var database = context.database();
        var clock = context.clock();
        connections = new ConnectionServices(
                context.vertx(),
                bus,
                database,
                context.security().box(),
                new FlowConnectionChanges(bus, clock),
                context.security().auditLog(),
                context.projectRows(),
                clock);
        busServices = new ArrayList<>(connections.busServices());
        busServices.add(new SecretManagerService(
                bus,
                database,
                context.security().box(),
                context.network().services().toHosts(HostClass.SECRET_MANAGER),
                clock));
        var credits = context.config().runs().agents().credits().key().map(_ -> PlatformCredits.models());
        busServices.add(new AiProviderService(
                database,
                context.security().box(),
                context.network().services().toHosts(HostClass.AI_PROVIDER),
                clock,
                credits,
                context.network().vendorOrigins()));
        busServices.add(new AiToolService(database, context.security().box(), clock));
        busServices.add(new VariableService(
                bus, database, context.security().box(), context.security().auditLog(), context.projectRows(), clock));
    }

    ConnectionStates states() {
        return connections.states();
    }

    ProjectConnections ofProjects() {
        return connections.projectConnections();
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<BusService> oauthServices() {
        return List.of(new OAuthAppService(
                context.bus(),
                context.database(),
                context.security().box(),
                context.clock(),
                context.network().publicUrl()));
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(
                new OAuthRoutes(bus),
                new SecretManagerRoutes(bus),
                new AiProviderRoutes(bus),
                new AiToolRoutes(bus),
                new ConnectionRoutes(bus),
                new GlobalConnectionRoutes(bus),
                new VariableRoutes(bus));
    }
}
