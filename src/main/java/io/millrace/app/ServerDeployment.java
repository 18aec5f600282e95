package io.millrace.app;

import io.millrace.app.module.ServerContext;
import io.millrace.app.module.ServerModules;
import io.millrace.base.bus.Nothing;
import io.millrace.base.cluster.ClusterLink;
import io.millrace.base.cluster.ClusterVerticle;
import io.millrace.base.cluster.EventBusLink;
import io.millrace.base.cluster.NodeDescription;
import io.millrace.base.cluster.NotificationLink;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.base.persistence.migration.Migrations;
import io.millrace.engine.run.recovery.RunHousekeeping;
import io.millrace.engine.run.recovery.RunLease;
import io.millrace.engine.run.recovery.RunSweeper;
import io.millrace.engine.run.shard.RunVerticle;
import io.millrace.engine.run.waitpoint.DelayTimer;
import io.millrace.engine.webhook.WebhookVerticle;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Deploys the verticles of a server in their order: the lease and the cluster first, webhook intake last. Intake, the shard of its
 * runs and the persistence of both share an event loop.
 */
final class ServerDeployment {
    private static final long PIECES_MS_MAX = 3_000;

    private final ServerContext context;
    private final ServerModules modules;
    private final Verticles verticles;
    private final BooleanSupplier isDatabaseAway;
    private final Consumer<Throwable> onCrash;
    private final List<SharedEventLoop> intake;

    /** @param isDatabaseAway true during an outage that exceeds the patience of a run's start */
    ServerDeployment(
            ServerContext context,
            ServerModules modules,
            Verticles verticles,
            BooleanSupplier isDatabaseAway,
            Consumer<Throwable> onCrash) {
        this.context = context;
        this.modules = modules;
        this.verticles = verticles;
        this.isDatabaseAway = isDatabaseAway;
        this.onCrash = onCrash;
        this.intake = SharedEventLoop.of(
                context.vertx(), context.nodes().node().shards().count());
    }

    ServerModules modules() {
        return modules;
    }

    List<SharedEventLoop> intake() {
        return intake;
    }

    /** @param recoveryHaste divisor of the periods of the {@link RunSweeper} */
    Future<Void> start(int recoveryHaste) {
        return deployFoundations()
                .compose(_ -> deployShards())
                .compose(_ -> deployUpkeep())
                .onSuccess(_ -> verticles.beginWork())
                .compose(_ -> context.config().process().role().takesWork()
                        ? deployWork(recoveryHaste)
                        : Future.succeededFuture())
                .onSuccess(_ -> verticles.endWork())
                .compose(_ -> deployIntake())
                .compose(_ -> piecesLoaded())
                .mapEmpty();
    }

    private Future<Void> deployFoundations() {
        var vertx = context.vertx();
        var persistence = intake.size() == 1
                ? intake.getFirst()
                : SharedEventLoop.of(vertx, 1).getFirst();
        var oauth = SharedEventLoop.of(vertx, 1).getFirst();
        return modules.platform()
                .sealing()
                .check()
                .compose(_ -> verticles.deploy(new RunLease(
                        context.database().apart("lease"),
                        context.nodes().node().id(),
                        context.nodes().node().isAlone(),
                        modules.runs().parts().node().epochs(),
                        context.clock())))
                .compose(_ -> verticles.deploy(clusterVerticle()))
                .compose(_ -> context.nodes().cluster().settled())
                .compose(_ -> verticles.deploy(modules.pieces().node()))
                .compose(_ -> verticles.deploy(modules.code().python()))
                .compose(_ ->
                        verticles.deploy(persistence, new PersistenceVerticle(context.bus(), modules.busServices())))
                .compose(_ -> verticles.deploy(oauth, new PersistenceVerticle(context.bus(), modules.oauthServices())))
                .compose(_ -> verticles.deploy(oauth, modules.oauth()))
                .compose(_ ->
                        modules.runs().permitExchange().map(verticles::deploy).orElse(Future.succeededFuture()));
    }

    /** Verticle of cluster notices; deployed before the first cache is filled. */
    private ClusterVerticle clusterVerticle() {
        var config = context.config();
        var own = context.database().apart("cluster");
        ClusterLink link = context.vertx().isClustered()
                ? new EventBusLink(
                        context.vertx(),
                        config.process().cluster().orElseThrow().password())
                : new NotificationLink(own);
        var description = new NodeDescription(
                NodeDescription.reachable(
                        config.network().http().host(), config.network().http().port()),
                ServerContext.VERSION,
                Migrations.newest(),
                config.process().role().word());
        return new ClusterVerticle(
                context.bus(),
                own,
                context.nodes().node().id(),
                description,
                context.nodes().cluster(),
                link,
                ClusterVocabulary.whole(),
                onCrash);
    }

    private Future<Void> deployShards() {
        var ready = Future.<Void>succeededFuture();
        for (var eventLoop : intake) {
            ready = ready.compose(
                    _ -> verticles.deploy(eventLoop, new PersistenceVerticle(context.bus(), modules.loopServices())));
        }
        for (var shard = 0; shard < intake.size(); shard++) {
            var eventLoop = intake.get(shard);
            var verticle = new RunVerticle(modules.runs().parts(), shard);
            ready = ready.compose(_ -> verticles.deploy(eventLoop, verticle));
        }
        return ready;
    }

    private Future<Void> deployUpkeep() {
        var version = ServerContext.VERSION;
        return verticles
                .deploy(new RunHousekeeping(context.bus()))
                .compose(_ -> modules.backups()
                        .scheduled(version)
                        .map(verticles::deploy)
                        .orElse(Future.succeededFuture()))
                .compose(_ ->
                        modules.backups().log(version).map(verticles::deploy).orElse(Future.succeededFuture()));
    }

    private Future<Void> deployWork(int recoveryHaste) {
        var takeovers = modules.runs().parts().capacity().takeovers();
        var ready = verticles
                .deploy(new RunSweeper(
                        context.bus(),
                        context.nodes().node().shards(),
                        takeovers,
                        modules.runs().parts().capacity().limiter(),
                        context.nodes().node().isAlone(),
                        recoveryHaste))
                .compose(_ -> verticles.deploy(modules.triggers().verticle()))
                .compose(_ -> verticles.deploy(modules.agents().verticle(modules.pieces(), modules.runs())))
                .compose(_ -> verticles.deploy(modules.actions().verticle(modules.pieces())))
                .compose(_ -> verticles.deploy(new DelayTimer(
                        context.bus(),
                        context.config().runs().engine().timeouts().pauseMax(),
                        takeovers,
                        context.clock())));
        for (var worker : modules.workers()) {
            ready = ready.compose(_ -> verticles.deploy(worker));
        }
        return ready;
    }

    private Future<Void> deployIntake() {
        var ready = Future.<Void>succeededFuture();
        for (var eventLoop : intake) {
            ready = ready.compose(_ -> verticles.deploy(
                    eventLoop,
                    new WebhookVerticle(
                            context.bus(),
                            context.nodes().node().shards(),
                            context.nodes().cluster(),
                            isDatabaseAway,
                            context.observation().tracer(),
                            context.clock())));
        }
        return ready;
    }

    /**
     * Waits for the installed pieces: an earlier request would not find them. An unavailable database delays the start
     * briefly.
     */
    private Future<Nothing> piecesLoaded() {
        return context.bus().ask(new Pieces.AwaitLoad(), PIECES_MS_MAX).otherwise(Nothing.DONE);
    }
}
