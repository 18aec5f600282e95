package io.millrace.workspace.project.alert;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.workspace.project.AlertReceivers;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** Handles {@link Alerts}. Callers have passed the gate of the project. */
public final class AlertService implements BusService, AlertReceivers {
    private final Database database;
    private final RowBound bound;
    private final InstantSource clock;
    private final AlertStore store = new AlertStore();

    /** @param bound limit of a project's receivers, all of whom are mailed each failure of a flow */
    public AlertService(Database database, RowBound bound, InstantSource clock) {
        this.database = database;
        this.bound = bound;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Alerts.ListOf.class, ask -> database.read(tx -> store.page(tx, ask.projectId(), ask.page())));
        bus.serve(Alerts.Create.class, this::create);
        bus.serve(Alerts.Delete.class, this::delete);
        bus.serve(Alerts.ProjectOf.class, this::projectOf);
    }

    @Override
    public Future<Void> add(Tx tx, String projectId, String receiverEmail, Instant now) {
        return store.insert(tx, new Alert(Ids.next(), now, now, projectId, receiverEmail))
                .mapEmpty();
    }

    @Override
    public Future<Void> addOwner(Tx tx, String projectId, Instant now) {
        return store.insertOwner(tx, Ids.next(), projectId, now);
    }

    private Future<Alert> create(Alerts.Create ask) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var alert = new Alert(Ids.next(), now, now, ask.projectId(), ask.receiver());
        return database.inTransaction(tx -> refuseStranger(tx, alert)
                .compose(_ -> bound.begin(tx, "receivers of alerts", "project", alert.projectId()))
                .compose(addition -> store.insert(tx, alert)
                        .compose(isNew -> isNew
                                ? store.count(tx, alert.projectId()).compose(addition::check)
                                : Future.failedFuture(taken(alert))))
                .map(alert));
    }

    private Future<Void> refuseStranger(Tx tx, Alert alert) {
        return store.mayReceive(tx, alert.projectId(), alert.receiver())
                .compose(mayReceive -> mayReceive
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION, "expected the owner of the personal project as receiver")));
    }

    private static ApiException taken(Alert alert) {
        return ApiException.of(ErrorCode.EXISTING_ALERT_CHANNEL, Json.object().put("email", alert.receiver()));
    }

    private Future<Nothing> delete(Alerts.Delete ask) {
        return database.read(tx -> store.delete(tx, ask.id())).map(Nothing.DONE);
    }

    private Future<String> projectOf(Alerts.ProjectOf ask) {
        return database.read(tx -> store.findProject(tx, ask.id()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("alert", ask.id())));
    }
}
