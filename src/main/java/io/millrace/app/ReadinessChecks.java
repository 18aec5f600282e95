package io.millrace.app;

import io.millrace.account.platform.Platforms;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.monitoring.DiskSpace;
import io.millrace.base.monitoring.Readiness;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.migration.Migrations;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Readiness checks: dependencies without which a running server cannot accept calls (decision 0192). */
final class ReadinessChecks {
    private static final long DEADLINE_MS = 2_000;

    private ReadinessChecks() {}

    /** @param isDatabaseAway true while intake refuses calls because the database is unavailable */
    static List<Readiness.Check> of(
            Vertx vertx, Bus bus, Database database, BooleanSupplier isDatabaseAway, LiveConfig live) {
        return List.of(
                new Readiness.Check(
                        "database",
                        () -> bus.ask(new Platforms.CheckDatabase(), DEADLINE_MS)
                                .map(true)),
                new Readiness.Check("migrations", () -> Migrations.of(vertx).areApplied(database)),
                new Readiness.Check("intake", () -> Future.succeededFuture(!isDatabaseAway.getAsBoolean())),
                new Readiness.Check("disk", () -> vertx.executeBlocking(() -> hasRoom(live), false)));
    }

    private static boolean hasRoom(LiveConfig live) {
        var config = live.get();
        return DiskSpace.hasFree(
                config.storage().data().directory(),
                config.observation().monitoring().diskFreeBytesMin());
    }
}
