package io.millrace.run;

import io.millrace.bus.Bus;
import io.millrace.bus.Request;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.Optional;

/** Ends live runs that nobody can walk to their end, by what is recorded of them. */
public final class RunEndings implements Desk {
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;
    private final Database database;
    private final InstantSource clock;
    private final RunStore runs = new RunStore();

    public RunEndings(Bus bus, Database database, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.clock = clock;
    }

    /**
     * Ends a run. Answered with whether this was its end: it was not when it had ended before, or has another owner.
     *
     * @param fence ownership by which it is ended
     * @param asPaused whether the log that it left at its pause is its log
     */
    record End(String runId, long fence, RunStatus status, boolean asPaused) implements Request<Boolean> {}

    @Override
    public void open(Bus ignored) {
        bus.serve(End.class, this::end);
    }

    private Future<Boolean> end(End end) {
        return database.read(tx -> runs.live(tx, end.runId())
                        .compose(live -> live.filter(left -> left.fence() == end.fence())
                                .map(left -> ending(tx, left, end).map(Optional::of))
                                .orElse(Future.succeededFuture(Optional.empty()))))
                .compose(write -> write.isEmpty()
                        ? Future.succeededFuture(false)
                        : bus.ask(RunService.WRITER, write.get(), DEADLINE_MS));
    }

    private Future<RunWrite> ending(Tx tx, LiveRun left, End end) {
        var steps = LoggedResults.log(left.payload(), left.records());
        var stepsCount = LoggedResults.restored(steps).size();
        var paused = end.asPaused()
                ? runs.pausedLog(tx, left.birth().id())
                : Future.succeededFuture(Optional.<byte[]>empty());
        return paused.map(log -> new RunWrite.Ending(
                        end.status(),
                        clock.instant(),
                        null,
                        left.tags(),
                        stepsCount,
                        log.map(Buffer::buffer).orElseGet(() -> RecordText.of(steps))))
                .map(ending -> new RunWrite.End(left.birth(), left.fence(), ending, null));
    }
}
