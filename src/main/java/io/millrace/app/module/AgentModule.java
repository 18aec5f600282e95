package io.millrace.app.module;

import io.millrace.authoring.agent.AgentDraftService;
import io.millrace.authoring.agent.AgentRoutes;
import io.millrace.authoring.agent.AgentService;
import io.millrace.authoring.agent.AgentsOffRoutes;
import io.millrace.authoring.agent.PublishedAgents;
import io.millrace.authoring.flow.agent.FlowAgents;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.net.HostClass;
import io.millrace.base.persistence.BusService;
import io.millrace.engine.agent.AgentRunAccess;
import io.millrace.engine.agent.AgentRunRoutes;
import io.millrace.engine.agent.AgentRunService;
import io.millrace.engine.agent.AgentStarts;
import io.millrace.engine.agent.AgentVerticle;
import io.millrace.engine.agent.AiExecutionRoutes;
import io.millrace.engine.run.step.SingleActions;
import io.millrace.piece.AgentRuns;
import io.millrace.piece.model.Models;
import io.millrace.workspace.model.ModelTierRoutes;
import io.millrace.workspace.model.PlatformCredits;
import io.millrace.workspace.model.ProviderModels;
import io.millrace.workspace.usage.MeteredModels;
import io.millrace.workspace.usage.ModelPrices;
import io.millrace.workspace.usage.ModelUsageRoutes;
import io.millrace.workspace.usage.ModelUsageService;
import io.millrace.workspace.web.WebTools;
import java.util.List;

/** Language models, saved agents, and agent runs. */
public final class AgentModule implements ServerModule {
    private final ServerContext context;
    private final Models models;
    private final PublishedAgents published;
    private final AgentStarts starts;

    AgentModule(ServerContext context) {
        this.context = context;
        var agents = context.config().runs().agents();
        var credits = agents.credits()
                .key()
                .map(key -> new PlatformCredits(key, agents.credits().url()));
        var asked = new ProviderModels(
                context.bus(),
                context.network().services().toHosts(HostClass.AI_PROVIDER),
                credits,
                context.clock(),
                context.network().vendorOrigins());
        models = new MeteredModels(
                asked,
                context.bus(),
                ModelPrices.read(agents.pricesFile()),
                context.observation().meters());
        published = new PublishedAgents(context.bus(), agents.saved());
        starts = new AgentStarts(context.bus(), models, published, agents.conversationMessagesMax(), context.clock());
    }

    Models models() {
        return models;
    }

    AgentRunAccess runs() {
        return new AgentRunAccess(context.bus(), starts);
    }

    AgentRuns starts() {
        return starts;
    }

    FlowAgents ofFlows() {
        return published;
    }

    /** Upon the pieces, which are built upon the models. */
    RouteGroup executions(PieceModule pieces) {
        return new AiExecutionRoutes(
                context.vertx(),
                context.bus(),
                starts,
                models,
                actions(pieces),
                context.nodes().node().shards(),
                context.config().runs().engine().timeouts().flow(),
                context.clock());
    }

    private SingleActions actions(PieceModule pieces) {
        return new SingleActions(
                pieces.stepServices(),
                pieces.catalogue()::find,
                context.config().runs().engine().timeouts().flow(),
                context.clock());
    }

    public AgentVerticle verticle(PieceModule pieces, RunModule runs) {
        var config = context.config();
        return new AgentVerticle(new AgentVerticle.Parts(
                context.bus(),
                models,
                new AgentVerticle.Parts.ToolSources(
                        pieces.catalogue(),
                        actions(pieces),
                        context.network().outbound().toHosts(HostClass.MCP_SERVER),
                        new WebTools(
                                context.vertx(),
                                context.bus(),
                                context.network().services().toHosts(HostClass.WEB))),
                context.nodes().node().shards(),
                new AgentVerticle.Parts.Limits(
                        config.runs().agents().atOnce(),
                        config.runs().engine().timeouts().flow(),
                        runs.parts().capacity().memory(),
                        config.runs().engine().execution().crashRecoveriesMax()),
                context.nodes().node().lease()::fence,
                context.clock()));
    }

    @Override
    public List<BusService> busServices() {
        var runs = new AgentRunService(
                context.bus(),
                context.database(),
                context.security().box(),
                context.nodes().node().id());
        var usage = new ModelUsageService(
                context.vertx(),
                context.database(),
                context.config().runs().agents().usageKept(),
                context.clock());
        return context.config().runs().agents().saved()
                ? List.of(
                        runs,
                        usage,
                        new AgentService(
                                context.bus(),
                                context.database(),
                                context.security().box(),
                                models,
                                context.security().auditLog(),
                                context.projectRows(),
                                context.clock()),
                        new AgentDraftService(context.bus(), models, context.clock()))
                : List.of(runs, usage);
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var runs = new AgentRunRoutes(context.bus(), starts);
        var tiers = new ModelTierRoutes();
        var usage = new ModelUsageRoutes(context.bus());
        // Tried in this order: the routes of runs are longer than that of one agent.
        var agents = context.config().runs().agents().saved() ? new AgentRoutes(context.bus()) : new AgentsOffRoutes();
        return List.of(runs, usage, agents, tiers);
    }
}
