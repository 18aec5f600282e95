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

    public ActionRunVerticle verticle(PieceModule pieces) {
        var config = context.config();
        return new ActionRunVerticle(new ActionRunVerticle.Parts(
                context.bus(),
                new SingleActions(
                        pieces.stepServices(),
                        pieces.catalogue()::find,
                        config.runs().engine().timeouts().flow(),
                        context.clock()),
                config.runs().actionRuns().atOnce(),
                config.runs().engine().log().bytesMax(),
                config.runs().engine().execution().crashRecoveriesMax(),
                context.nodes().node().lease()::fence));
    }

    @Override
    public List<BusService> busServices() {
        var config = context.config();
        return List.of(new ActionRunService(new ActionRunService.Parts(
                context.vertx(),
                context.database(),
                context.security().box(),
                context.nodes().node().id(),
                config.runs().engine().timeouts().flow(),
                config.runs().actionRuns().waitingMax(),
                config.storage().data().retentionDays(),
                context.clock())));
    }

    @Override
    public List<RouteGroup> routeGroups() {
        return List.of(new ActionRunRoutes(
                context.bus(), context.config().runs().engine().timeouts().flow()));
    }
}
