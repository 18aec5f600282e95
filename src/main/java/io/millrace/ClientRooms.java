package io.millrace;

import io.millrace.grant.GrantRoutes;
import io.millrace.grant.GrantService;
import io.millrace.grant.TokenExchangeService;
import io.millrace.http.HttpModule;
import io.millrace.identity.SignInLimit;
import io.millrace.mcp.AgentToolRoutes;
import io.millrace.mcp.McpRoutes;
import io.millrace.mcp.McpServerService;
import io.millrace.mcp.McpSessionService;
import io.millrace.persistence.Desk;
import io.millrace.run.SingleActions;
import java.util.List;

/** AI clients: what people let them do, and the tools they find. */
final class ClientRooms implements Wing {
    private final Ground ground;
    private final PieceRooms pieces;
    private final SignInLimit signInLimit;
    private final List<Desk> desks;

    ClientRooms(Ground ground, PieceRooms pieces, SignInLimit signInLimit) {
        this.ground = ground;
        this.pieces = pieces;
        this.signInLimit = signInLimit;
        var bus = ground.bus();
        var database = ground.database();
        var clock = ground.clock();
        desks = List.of(
                new GrantService(bus, database, ground.tokens(), clock),
                new TokenExchangeService(database, ground.tokens(), clock),
                new McpServerService(bus, database, ground.box(), clock),
                new McpSessionService(bus, database, clock));
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        var config = ground.config();
        var actions = new SingleActions(
                pieces.stepServices(), pieces.catalogue()::find, config.engine().flowTimeout(), ground.clock());
        return List.of(
                new GrantRoutes(bus, ground.publicUrl(), signInLimit::admit),
                new McpRoutes(bus, config, ground.publicUrl(), Server.VERSION, actions),
                new AgentToolRoutes(ground.outbound()));
    }
}
