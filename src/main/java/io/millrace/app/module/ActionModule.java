package io.millrace.app.module;

import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.engine.action.ActionRunRoutes;
import io.millrace.engine.action.ActionRunService;
import io.millrace.engine.action.ActionRunVerticle;
import io.millrace.engine.run.step.SingleActions;
import java.util.List;

/** Runs of single actions without a flow. */
public final class ActionModule implements ServerModule {
    private final ServerContext context;

    ActionModule(ServerContext context) {
        this.context = context;
    }

    /** The verticle that executes the runs of this node. */
    public ActionRunVerticle verticle(PieceModule pieces) {
        var config = context.config();
        return new ActionRunVerticle(new ActionRunVerticle.Parts(
                context.bus(),
                new SingleActions(
                        pieces.stepServices(),
                        pieces.catalogue()::find,
                        config.engine().flowTimeout(),
                        context.clock()),
                config.actionRuns().atOnce(),
                config.engine().logBytesMax(),
                config.engine().crashRecoveriesMax(),
                context.node().lease()::fence));
    }

    @Override
    public List<BusService> busServices() {
        var config = context.config();
        return List.of(new ActionRunService(new ActionRunService.Parts(
                context.vertx(),
                context.database(),
                context.box(),
                context.node().id(),
                config.engine().flowTimeout(),
                config.actionRuns().waitingMax(),
                config.data().retentionDays(),
                context.clock())));
    }

    @Override
    public List<RouteGroup> routeGroups() {
        return List.of(
                new ActionRunRoutes(context.bus(), context.config().engine().flowTimeout()));
    }
}
