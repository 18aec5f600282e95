package io.millrace;

import io.millrace.http.HttpModule;
import io.millrace.persistence.Desk;
import io.millrace.run.RunEntrance;
import io.millrace.store.StoreService;
import io.millrace.trigger.AppEventService;
import io.millrace.trigger.AppSecrets;
import io.millrace.trigger.Misfire;
import io.millrace.trigger.TriggerEventRoutes;
import io.millrace.trigger.TriggerEventService;
import io.millrace.trigger.TriggerHooks;
import io.millrace.trigger.TriggerPieces;
import io.millrace.trigger.TriggerRoutes;
import io.millrace.trigger.TriggerRules;
import io.millrace.trigger.TriggerService;
import io.millrace.trigger.TriggerTally;
import io.millrace.trigger.TriggerTestService;
import io.millrace.trigger.TriggerVerticle;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What makes flows begin: schedules, polls, hooks of triggers, events of apps. */
final class TriggerRooms implements Wing {
    /** A request that calls a hook ends a moment after the hook's time. */
    private static final Duration ALLOWANCE = Duration.ofSeconds(10);

    private final Ground ground;
    private final StoreService values;
    private final TriggerPieces pieces;
    private final TriggerTally tally;
    private final TriggerHooks hooks;
    private final TriggerRules rules;
    private final TriggerService triggers;
    private final List<Desk> desks;

    TriggerRooms(Ground ground, PieceRooms pieces, StoreService values) {
        this.ground = ground;
        this.values = values;
        this.pieces = new TriggerPieces(ground.bus(), pieces.catalogue()::find);
        var settings = ground.config().triggers();
        tally = new TriggerTally(ground.clock());
        hooks = new TriggerHooks(
                pieces.stepServices(),
                ground.callerUrl(),
                ground.config().engine().triggerTimeout(),
                settings.hooksTimeout(),
                tally,
                ground.clock());
        rules = new TriggerRules(
                settings.pollMinutes(),
                Misfire.valueOf(settings.misfirePolicy().toUpperCase(Locale.ROOT)),
                settings.misfiresMax());
        triggers = new TriggerService(ground.database(), this.pieces, hooks, rules, ground.clock());
        desks = List.of(
                triggers,
                new TriggerTestService(ground.bus(), ground.database(), this.pieces, hooks),
                new TriggerEventService(ground.database()),
                new AppEventService(
                        ground.database(),
                        pieces.catalogue(),
                        AppSecrets.read(settings.appSecrets()),
                        ground.callerUrl()));
    }

    TriggerHooks hooks() {
        return hooks;
    }

    TriggerService triggers() {
        return triggers;
    }

    TriggerVerticle verticle() {
        return new TriggerVerticle(new TriggerVerticle.Parts(
                ground.database(),
                ground.bus(),
                pieces,
                hooks,
                tally,
                rules,
                values,
                new RunEntrance(ground.bus(), ground.database(), ground.clock()),
                ground.node().id(),
                ground.config().shutdown().triggers(),
                ground.clock()));
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var hooksTimeout = ground.config().triggers().hooksTimeout();
        return List.of(
                new TriggerRoutes(ground.bus(), hooksTimeout.plus(ALLOWANCE).toMillis()),
                new TriggerEventRoutes(ground.bus()));
    }
}
