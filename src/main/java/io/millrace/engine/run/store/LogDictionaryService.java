package io.millrace.engine.run.store;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.journal.LogDictionaries;
import java.time.InstantSource;

public final class LogDictionaryService implements BusService {
    private final Database database;
    private final InstantSource clock;
    private final LogDictionaryStore store = new LogDictionaryStore();

    public LogDictionaryService(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(
                LogDictionaries.Keep.class,
                keep -> database.read(tx -> store.keep(tx, keep.flowVersionId(), keep.text(), clock.instant())));
    }
}
