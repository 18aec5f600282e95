package io.millrace.app.module;

import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.OutageRetry;
import io.millrace.engine.run.start.RunIngest;
import io.millrace.engine.trigger.AppEventService;
import io.millrace.engine.trigger.AppSecrets;
import io.millrace.engine.trigger.DueTriggerService;
import io.millrace.engine.trigger.RecordingHookServices;
import io.millrace.engine.trigger.TriggerCounts;
import io.millrace.engine.trigger.TriggerHooks;
import io.millrace.engine.trigger.TriggerMeters;
import io.millrace.engine.trigger.TriggerPieces;
import io.millrace.engine.trigger.TriggerRoutes;
import io.millrace.engine.trigger.TriggerRules;
import io.millrace.engine.trigger.TriggerService;
import io.millrace.engine.trigger.TriggerTestService;
import io.millrace.engine.trigger.TriggerVerticle;
import io.millrace.engine.trigger.event.TriggerEventRoutes;
import io.millrace.engine.trigger.event.TriggerEventService;
import io.millrace.engine.trigger.schedule.Misfire;
import io.millrace.piece.builtin.appevent.AppEventFormats;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Triggers of flows: schedules, polls, hooks, events of apps. */
public final class TriggerModule implements ServerModule {
    /** A request that calls a hook ends a moment after the hook's time. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(10);

    private final ServerContext context;
    private final TriggerPieces pieces;
    private final TriggerCounts tally;
    private final TriggerHooks hooks;
    private final TriggerRules rules;
    private final TriggerService triggers;
    private final List<BusService> busServices;

    TriggerModule(ServerContext context, PieceModule pieces, FileModule files) {
        this.context = context;
        this.pieces = new TriggerPieces(context.bus(), pieces.catalogue()::find);
        var settings = context.config().runs().triggers();
        tally = new TriggerCounts(context.clock());
        hooks = new TriggerHooks(
                new RecordingHookServices(
                        pieces.stepServices(),
                        new OutageRetry(
                                pauseMs -> context.vertx().timer(pauseMs).mapEmpty())),
                context.callerUrl(),
                context.config().runs().engine().timeouts().trigger(),
                settings.hooksTimeout(),
                tally,
                context.clock());
        rules = new TriggerRules(
                settings.pollMinutes(),
                Misfire.valueOf(settings.misfirePolicy().toUpperCase(Locale.ROOT)),
                settings.misfiresMax());
        triggers = new TriggerService(context.database(), this.pieces, hooks, rules, context.clock());
        var runs = new RunIngest(context.bus(), context.clock());
        busServices = List.of(
                triggers,
                new DueTriggerService(
                        context.database(),
                        files.values(),
                        runs,
                        context.nodes().node().id(),
                        context.clock()),
                new TriggerTestService(context.bus(), context.database(), this.pieces, hooks),
                new TriggerEventService(context.database(), files.files(), context.retention(), context.clock()),
                new AppEventService(
                        context.database(),
                        pieces.catalogue(),
                        AppEventFormats.all(settings.appEventAgeMax(), context.clock()),
                        AppSecrets.read(settings.appSecrets()),
                        context.callerUrl()));
    }

    TriggerHooks hooks() {
        return hooks;
    }

    TriggerService triggers() {
        return triggers;
    }

    public TriggerVerticle verticle() {
        return new TriggerVerticle(new TriggerVerticle.Parts(
                context.bus(),
                pieces,
                hooks,
                tally,
                rules,
                context.config().process().shutdown().triggers(),
                new TriggerMeters(context.observation().meters()),
                context.clock()));
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var hooksTimeout = context.config().runs().triggers().hooksTimeout();
        return List.of(
                new TriggerRoutes(context.bus(), hooksTimeout.plus(ALLOWANCE).toMillis()),
                new TriggerEventRoutes(context.bus()));
    }
}
