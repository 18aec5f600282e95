package io.millrace.engine.run.store;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunRelease;
import io.vertx.core.Future;
import java.util.List;

/** Reads the runs that this node owns and is to continue, and releases those that it cannot continue. */
public final class RunOwnership implements BusService {
    public static final String RELEASE = "run.release";

    /** Approximate stored size of runs that are read at once; a larger run is read alone. */
    private static final long READ_AT_ONCE_BYTES = 256 * 1024;

    private final Database database;
    private final String nodeId;
    private final LiveRunStore runs = new LiveRunStore();
    private final RunOwnerStore owners = new RunOwnerStore();

    public RunOwnership(Database database, String nodeId) {
        this.database = database;
        this.nodeId = nodeId;
    }

    /** Reads the first of some runs to be continued, up to a total size. */
    public record Load(List<OwnedRun> wanted) implements BusRequest<LoadResult> {}

    /**
     * Result of a read. A run that is in neither list has ended, or has another owner.
     *
     * @param later ids to be requested again
     */
    public record LoadResult(List<StoredRun> runs, List<String> later) {}

    /**
     * A step is about to execute in a run that is suspected of crashing servers. Answered with false for a lost run.
     */
    public record NoteStep(String runId, long fence, String path) implements BusRequest<Boolean> {}

    @Override
    public void open(Bus bus) {
        bus.serve(Load.class, this::load);
        bus.serve(NoteStep.class, note -> database.read(tx -> owners.noteStep(tx, note)));
        bus.serveAt(RELEASE, RunRelease.class, this::release);
    }

    private Future<LoadResult> load(Load ask) {
        var ids = ask.wanted().stream().map(OwnedRun::runId).toList();
        return database.read(tx -> runs.choose(tx, nodeId, ids, READ_AT_ONCE_BYTES)
                .compose(chosen -> beginReading(tx, ask, chosen.now())
                        .compose(_ -> runs.stored(tx, nodeId, chosen.now()))
                        .map(stored -> new LoadResult(stored, chosen.later()))));
    }

    /** Durable before any value is read: reading may end the server. */
    private Future<Void> beginReading(Tx tx, Load ask, List<String> chosen) {
        return ask.wanted().stream().anyMatch(OwnedRun::unread)
                ? owners.beginReading(tx, nodeId, chosen)
                : Future.succeededFuture();
    }

    private Future<Nothing> release(RunRelease run) {
        return database.read(tx -> owners.release(tx, run.runId(), run.fence())).map(Nothing.DONE);
    }
}
