package io.millrace.engine.run.start;

import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.GroupCommit;
import io.millrace.engine.run.RunDurableWrite;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Stores runs that flow calls start with a key of their item (decision 0319), many in one transaction. The row of the
 * key serializes concurrent claims of all nodes: exactly one starts a run.
 */
public final class RunIngestService implements BusService {
    private static final GroupCommit.Limits LIMITS = new GroupCommit.Limits(1, 200, 8 << 20, 20_000, 256 << 20, 20_000);

    private final Database database;
    private final RunIngest ingest;
    private final GroupCommit<IngestRequest, Boolean> writer;

    /** @param startPatience how long the start of a run waits for an unavailable database */
    public RunIngestService(Vertx vertx, Bus bus, Database database, Duration startPatience, InstantSource clock) {
        this.database = database;
        this.ingest = new RunIngest(bus, clock);
        this.writer = new GroupCommit<>(
                LIMITS,
                ask -> ask.run().payload().length(),
                _ -> startPatience.toMillis(),
                this::flush,
                delayMs -> vertx.timer(delayMs).mapEmpty(),
                database::unavailableMs);
    }

    @Override
    public void open(Bus bus) {
        bus.serve(IngestRequest.class, writer::submit);
    }

    /** Idempotent: a flush that is repeated after a lost answer stores nothing a second time. */
    private Future<List<Boolean>> flush(List<IngestRequest> asks) {
        var runs = asks.stream().map(IngestRequest::run).toList();
        return database.durably(RunDurableWrite.ACCEPTED, () -> database.inTransaction(tx -> ingest.takeIn(tx, runs)))
                .map(taken -> {
                    if (!taken.isEmpty()) {
                        ingest.wake();
                    }
                    return runs.stream()
                            .map(run -> taken.contains(run.header().id()))
                            .toList();
                });
    }
}
