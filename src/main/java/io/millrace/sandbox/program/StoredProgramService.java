package io.millrace.sandbox.program;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import java.time.InstantSource;

/** Answers {@link StoredPrograms}. */
public final class StoredProgramService implements BusService {
    private final Database database;
    private final InstantSource clock;
    private final CodeProgramStore store = new CodeProgramStore();

    public StoredProgramService(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(StoredPrograms.Find.class, find -> database.read(tx -> store.find(tx, find.key())));
        bus.serve(StoredPrograms.AnyOfWorkers.class, _ -> database.read(store::anyOfWorkers));
        bus.serve(
                StoredPrograms.Keep.class,
                keep -> database.inTransaction(tx -> store.insert(tx, keep.key(), keep.program(), clock.instant())
                        .compose(_ -> store.find(tx, keep.key()))));
    }
}
