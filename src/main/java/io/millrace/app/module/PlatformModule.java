package io.millrace.app.module;

import io.millrace.account.identity.user.AccountPictures;
import io.millrace.account.platform.PlatformRoutes;
import io.millrace.account.platform.PlatformService;
import io.millrace.account.sealing.SealingRoutes;
import io.millrace.account.sealing.SealingService;
import io.millrace.authoring.template.TemplateRoutes;
import io.millrace.base.cluster.WorkerMachineRoutes;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.document.ApiDocumentRoutes;
import io.millrace.base.idempotency.RequestKeyService;
import io.millrace.base.net.DomainRecords;
import io.millrace.base.persistence.BusService;
import io.millrace.engine.trigger.AppSecrets;
import io.millrace.integration.analytics.AnalyticsRoutes;
import io.millrace.integration.analytics.AnalyticsService;
import io.millrace.sandbox.node.NodeVerticle;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The platform as a whole: its settings, its key, how much it does, and the document of its API. */
public final class PlatformModule implements ServerModule {
    private final ServerContext context;
    private final NodeVerticle node;
    private final PlatformService platforms;
    private final SealingService sealing;
    private final List<BusService> busServices;

    /** @param node reports whether npm pieces can run */
    PlatformModule(ServerContext context, NodeVerticle node) {
        this.context = context;
        this.node = node;
        var config = context.config();
        platforms = new PlatformService(
                context.bus(),
                context.database(),
                context.security().box(),
                DomainRecords.of(context.vertx()),
                new AccountPictures(),
                config.process().telemetryEnabled(),
                context.clock());
        sealing = new SealingService(
                context.vertx(),
                context.database(),
                context.nodes().cluster(),
                context.security().box(),
                Optional.of(config.storage().data().directory())
                        .filter(_ -> context.security().secrets().keyIsKept()));
        var keys = config.runs().webhooks().keys();
        busServices = List.of(
                platforms,
                sealing,
                new RequestKeyService(
                        context.vertx(),
                        context.database(),
                        context.security().box(),
                        new RequestKeyService.Limits(keys.kept(), keys.perCallerMax(), keys.answerBytesPerCallerMax())),
                new AnalyticsService(context.database(), context.clock()));
    }

    PlatformService platforms() {
        return platforms;
    }

    public SealingService sealing() {
        return sealing;
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(
                new PlatformRoutes(
                        bus,
                        context.config(),
                        ServerContext.VERSION,
                        appsWithSecrets(),
                        TemplateRoutes.CATEGORIES,
                        () -> node.trouble().map(Optional::isEmpty),
                        () -> context.sandbox().isolation().inForce()),
                new SealingRoutes(bus),
                new WorkerMachineRoutes(bus),
                new AnalyticsRoutes(bus),
                new ApiDocumentRoutes());
    }

    private List<String> appsWithSecrets() {
        var secrets = AppSecrets.read(context.config().runs().triggers().appSecrets());
        return List.copyOf(new TreeSet<>(secrets.keySet()));
    }
}
