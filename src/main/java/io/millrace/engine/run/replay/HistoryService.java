package io.millrace.engine.run.replay;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.store.RunHistoryStore;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;

/** Reads logs of runs in batches for {@link HistoryRequests}. */
public final class HistoryService implements BusService {
    private final Database database;
    private final RunHistoryStore store = new RunHistoryStore();

    public HistoryService(Database database) {
        this.database = database;
    }

    record Batch(RunHistoryStore.Extent extent) implements BusRequest<List<RunHistoryStore.PastRun>> {}

    record DictionariesOf(List<String> versionIds) implements BusRequest<Map<String, Buffer>> {}

    @Override
    public void open(Bus bus) {
        bus.serve(Batch.class, ask -> database.read(tx -> store.batch(tx, ask.extent())));
        bus.serve(DictionariesOf.class, ask -> database.read(tx -> store.dictionaries(tx, ask.versionIds())));
    }
}
