package io.millrace;

import io.millrace.aiprovider.AiProviderRoutes;
import io.millrace.aiprovider.AiProviderService;
import io.millrace.aiprovider.AiToolRoutes;
import io.millrace.aiprovider.AiToolService;
import io.millrace.connection.ConnectionRoom;
import io.millrace.connection.ConnectionRoutes;
import io.millrace.connection.ConnectionStates;
import io.millrace.connection.GlobalConnectionRoutes;
import io.millrace.connection.ProjectConnections;
import io.millrace.flow.FlowService;
import io.millrace.http.HttpModule;
import io.millrace.oauth.OAuthAppService;
import io.millrace.oauth.OAuthRoutes;
import io.millrace.oauth.TokenExchange;
import io.millrace.persistence.Desk;
import io.millrace.secretmanager.SecretManagerRoutes;
import io.millrace.secretmanager.SecretManagerService;
import io.millrace.variable.VariableRoutes;
import io.millrace.variable.VariableService;
import java.util.ArrayList;
import java.util.List;

/** What steps prove who they are with. */
final class ConnectionRooms implements Wing {
    private final Ground ground;
    private final ConnectionRoom connections;
    private final List<Desk> desks;

    ConnectionRooms(Ground ground, FlowService flows) {
        this.ground = ground;
        var bus = ground.bus();
        var database = ground.database();
        var clock = ground.clock();
        connections = new ConnectionRoom(
                ground.vertx(),
                bus,
                database,
                ground.box(),
                new TokenExchange(ground.vertx(), ground.outbound(), clock),
                flows.connections(),
                ground.trail(),
                clock);
        desks = new ArrayList<>(connections.desks());
        desks.add(new OAuthAppService(bus, database, ground.box(), clock));
        desks.add(new SecretManagerService(bus, database, ground.box(), ground.outbound(), clock));
        desks.add(new AiProviderService(database, ground.box(), ground.outbound(), clock));
        desks.add(new AiToolService(database, ground.box(), clock));
        desks.add(new VariableService(bus, database, ground.box(), ground.trail(), clock));
    }

    ConnectionStates states() {
        return connections.states();
    }

    ProjectConnections ofProjects() {
        return connections.projectConnections();
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
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
