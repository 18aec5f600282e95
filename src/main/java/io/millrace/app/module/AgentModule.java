package io.millrace.app.module;

import io.millrace.authoring.agent.AgentRoutes;
import io.millrace.authoring.agent.AgentService;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.engine.agent.AgentRunAccess;
import io.millrace.engine.agent.AgentRunRoutes;
import io.millrace.engine.agent.AgentRunService;
import io.millrace.engine.agent.AgentStarts;
import io.millrace.engine.agent.AgentVerticle;
import io.millrace.engine.run.step.SingleActions;
import io.millrace.piece.AgentRuns;
import io.millrace.piece.model.Models;
import io.millrace.workspace.model.ModelTierRoutes;
import io.millrace.workspace.model.ProviderModels;
import io.millrace.workspace.usage.MeteredModels;
import io.millrace.workspace.usage.ModelUsageRoutes;
import io.millrace.workspace.usage.ModelUsageService;
import io.millrace.workspace.web.WebTools;
import java.util.List;

/** Language models, agents that people keep, and their runs. */
public final class AgentModule implements ServerModule {
    private final ServerContext context;
    private final Models models;
    private final AgentStarts starts;

    AgentModule(ServerContext context) {
        this.context = context;
        var agents = context.config().agents();
        var asked = new ProviderModels(context.bus(), context.services(), agents.creditsKey(), context.clock());
        models = new MeteredModels(asked, context.bus());
        starts = new AgentStarts(context.bus(), models, agents.saved(), context.clock());
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

    public AgentVerticle verticle(PieceModule pieces) {
        var config = context.config();
        var catalogue = pieces.catalogue();
        var actions = new SingleActions(
                pieces.stepServices(), catalogue::find, config.engine().flowTimeout(), context.clock());
        return new AgentVerticle(new AgentVerticle.Parts(
                context.bus(),
                models,
                catalogue,
                actions,
                context.outbound(),
                new WebTools(context.vertx(), context.bus(), context.services()),
                context.node().shards(),
                config.agents().atOnce(),
                config.engine().flowTimeout(),
                context.clock()));
    }

    @Override
    public List<BusService> busServices() {
        var runs = new AgentRunService(
                context.bus(), context.database(), context.box(), context.node().id());
        var usage = new ModelUsageService(
                context.vertx(), context.database(), context.config().agents().usageKept(), context.clock());
        return context.config().agents().saved()
                ? List.of(
                        runs,
                        usage,
                        new AgentService(context.bus(), context.database(), context.box(), models, context.clock()))
                : List.of(runs, usage);
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var runs = new AgentRunRoutes(context.bus(), starts);
        var tiers = new ModelTierRoutes();
        var usage = new ModelUsageRoutes(context.bus());
        // Tried in this order: the routes of runs are longer than that of one agent.
        return context.config().agents().saved()
                ? List.of(runs, usage, tiers, new AgentRoutes(context.bus()))
                : List.of(runs, usage, tiers);
    }
}
