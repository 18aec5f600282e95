package io.millrace.authoring.table.event;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import java.time.InstantSource;

public final class RecordEventService implements BusService {
    private final Database database;
    private final InstantSource clock;
    private final EventStore store = new EventStore();

    public RecordEventService(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(RecordEvents.Claim.class, claim -> {
            var now = clock.instant();
            return database.inTransaction(tx -> store.claim(tx, now, now.plus(claim.validity()), claim.limit()));
        });
        bus.serve(
                RecordEvents.Remove.class,
                event -> database.read(tx -> store.delete(tx, event.eventId())).map(Nothing.DONE));
        bus.serve(
                RecordEvents.Postpone.class,
                event -> database.read(tx -> store.postpone(tx, event.eventId(), event.due()))
                        .map(Nothing.DONE));
    }
}
