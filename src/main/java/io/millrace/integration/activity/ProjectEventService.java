package io.millrace.integration.activity;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import java.time.Duration;

public final class ProjectEventService implements BusService {
    private final Database database;
    private final Duration kept;
    private final ProjectEventStore store = new ProjectEventStore();

    /** @param kept retention of events, and time of recording after the last listener */
    public ProjectEventService(Database database, Duration kept) {
        this.database = database;
        this.kept = kept;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(ProjectEvents.Begin.class, this::begin);
        bus.serve(
                ProjectEvents.Renew.class,
                renew -> database.inTransaction(tx -> store.renew(tx, renew.projectIds(), kept))
                        .map(Nothing.DONE));
        bus.serve(
                ProjectEvents.Read.class,
                read -> database.read(tx -> store.read(tx, read.projectIds(), read.after(), read.limit())));
        bus.serve(ProjectEvents.Tidy.class, _ -> tidy());
    }

    /**
     * A listener continues if its position lies within the recorded transactions. Otherwise events follow the registration:
     * writes that began before it end before the first of them.
     */
    private Future<ProjectEvents.Beginning> begin(ProjectEvents.Begin begin) {
        return database.inTransaction(tx -> store.begin(tx, begin.projectId(), kept))
                .map(registered -> begin.last()
                        .filter(last ->
                                last.transaction() > registered.since() && last.transaction() <= registered.next())
                        .map(last -> new ProjectEvents.Beginning(last, true))
                        .orElseGet(() -> new ProjectEvents.Beginning(EventPosition.before(registered.own()), false)));
    }

    private Future<Nothing> tidy() {
        return database.inTransaction(tx -> store.forget(tx, kept))
                .compose(_ -> database.inTransaction(store::leave))
                .map(Nothing.DONE);
    }
}
