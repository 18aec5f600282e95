package io.millrace;

import io.millrace.analytics.AnalyticsRoutes;
import io.millrace.analytics.AnalyticsService;
import io.millrace.http.ApiDocumentRoutes;
import io.millrace.http.HttpModule;
import io.millrace.net.DomainRecords;
import io.millrace.node.NodeVerticle;
import io.millrace.persistence.Desk;
import io.millrace.platform.PlatformRoutes;
import io.millrace.platform.PlatformService;
import io.millrace.sealing.SealingRoutes;
import io.millrace.sealing.SealingService;
import io.millrace.trigger.AppSecrets;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The platform as a whole: its settings, its key, how much it does, and the document of its API. */
final class PlatformRooms implements Wing {
    private final Ground ground;
    private final NodeVerticle node;
    private final PlatformService platforms;
    private final SealingService sealing;
    private final List<Desk> desks;

    /** @param node tells whether npm pieces can run */
    PlatformRooms(Ground ground, NodeVerticle node) {
        this.ground = ground;
        this.node = node;
        var config = ground.config();
        platforms = new PlatformService(
                ground.bus(),
                ground.database(),
                ground.box(),
                DomainRecords.of(ground.vertx()),
                config.telemetryEnabled(),
                ground.clock());
        sealing = new SealingService(
                ground.vertx(),
                ground.database(),
                ground.box(),
                Optional.of(config.data().directory())
                        .filter(_ -> ground.secrets().keyIsKept()));
        desks = List.of(platforms, sealing, new AnalyticsService(ground.database(), ground.clock()));
    }

    PlatformService platforms() {
        return platforms;
    }

    SealingService sealing() {
        return sealing;
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        return List.of(
                new PlatformRoutes(
                        bus,
                        ground.config(),
                        Server.VERSION,
                        appsWithSecrets(),
                        () -> node.trouble().map(Optional::isEmpty),
                        () -> ground.isolation().inForce().confinesSignals()),
                new SealingRoutes(bus),
                new AnalyticsRoutes(bus),
                new ApiDocumentRoutes());
    }

    private List<String> appsWithSecrets() {
        var secrets = AppSecrets.read(ground.config().triggers().appSecrets());
        return List.copyOf(new TreeSet<>(secrets.keySet()));
    }
}
