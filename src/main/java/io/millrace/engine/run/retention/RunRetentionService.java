package io.millrace.engine.run.retention;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.retention.RunRetentions.Retention;
import io.millrace.engine.run.retention.RunRetentions.Scope;
import io.vertx.core.Future;

/** Handles {@link RunRetentions}. HTTP callers have passed the access check of the project. */
public final class RunRetentionService implements BusService {
    private final Database database;
    private final int daysMax;
    private final RunRetentionStore store = new RunRetentionStore();

    /** @param daysMax retention of the server in days (AP_EXECUTION_DATA_RETENTION_DAYS) */
    public RunRetentionService(Database database, int daysMax) {
        this.database = database;
        this.daysMax = daysMax;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(RunRetentions.Get.class, ask -> database.read(tx -> kept(tx, ask.scope())));
        bus.serve(RunRetentions.Put.class, this::put);
    }

    private Future<Retention> put(RunRetentions.Put ask) {
        return database.inTransaction(tx -> written(tx, ask).compose(_ -> kept(tx, ask.scope())));
    }

    private Future<Void> written(Tx tx, RunRetentions.Put ask) {
        return switch (ask.scope()) {
            case Scope.OfProject(var projectId) -> store.putOfProject(tx, projectId, ask.days());
            case Scope.OfFlow(var flowId) -> store.putOfFlow(tx, flowId, ask.days());
        };
    }

    private Future<Retention> kept(Tx tx, Scope scope) {
        return switch (scope) {
            case Scope.OfProject(var projectId) ->
                store.findOfProject(tx, projectId)
                        .map(days -> new Retention(days, Math.min(daysMax, days.orElse(daysMax))));
            case Scope.OfFlow(var flowId) ->
                store.findOfFlow(tx, flowId)
                        .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)))
                        .map(setting -> new Retention(
                                setting.days(),
                                Math.min(daysMax, setting.shortest().orElse(daysMax))));
        };
    }
}
