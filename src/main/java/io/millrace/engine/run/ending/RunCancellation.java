package io.millrace.engine.run.ending;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.actor.RunCancel;
import io.millrace.engine.run.machine.RowEvent;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Cancels live runs and their descendants (contract flows-and-engine 5.7, 14.3).
 *
 * <p>A run whose actor is on this node is asked to end: it abandons its step and writes its results. Any other, paused
 * or owned by another node, is taken from its owner first, which shuts out every later write, and ended by its recorded
 * results. So a cancellation takes bounded time in every state of the run.
 */
public final class RunCancellation implements BusService {
    private static final long DEADLINE_MS = 20_000;
    private static final int AT_ONCE = 500;
    private static final int ATTEMPTS_MAX = 5;

    private final Bus bus;
    private final Database database;
    private final RunShards shards;
    private final String nodeId;
    private final ParentRuns parents;
    private final RunCancelStore store = new RunCancelStore();

    public RunCancellation(Bus bus, Database database, RunShards shards, String nodeId) {
        this.bus = bus;
        this.database = database;
        this.shards = shards;
        this.nodeId = nodeId;
        this.parents = new ParentRuns(bus);
    }

    @Override
    public void open(Bus ignored) {
        bus.serve(RunCommands.Cancel.class, cancel -> cancelAll(cancel.filter()).map(Nothing.DONE));
    }

    /** Repeats until no matching run is left: a canceled one is not found again. */
    private Future<Void> cancelAll(RunQueries.Filter filter) {
        return database.read(tx -> store.find(tx, filter, AT_ONCE)).compose(found -> {
            if (found.isEmpty()) {
                return Future.succeededFuture();
            }
            var done = cancelWithDescendants(filter.projectId(), found);
            return found.size() < AT_ONCE ? done : done.compose(_ -> cancelAll(filter));
        });
    }

    /** Cancels callers first: a parent that learns of its child's end would otherwise continue. */
    private Future<Void> cancelWithDescendants(String projectId, List<String> runIds) {
        return database.read(tx -> store.descendants(tx, projectId, runIds)).compose(descendants -> {
            Set<String> others = new LinkedHashSet<>(descendants);
            others.removeAll(Set.copyOf(runIds));
            return cancelEach(runIds).compose(_ -> cancelEach(List.copyOf(others)));
        });
    }

    private Future<Void> cancelEach(List<String> runIds) {
        var all = new ArrayList<Future<Void>>();
        runIds.forEach(runId -> all.add(cancel(runId)));
        return Future.join(all).mapEmpty();
    }

    private Future<Void> cancel(String runId) {
        return cancel(runId, 1);
    }

    /** A completion may resume a run between its seizure and its end: then it is canceled at its new owner. */
    private Future<Void> cancel(String runId, int attempt) {
        return bus.ask(shards.cancelAddressOf(runId), new RunCancel(runId), DEADLINE_MS)
                .otherwise(false)
                .compose(ended -> ended ? Future.succeededFuture(true) : seizeAndEnd(runId))
                .compose(ended -> {
                    if (ended) {
                        return Future.succeededFuture();
                    }
                    return attempt < ATTEMPTS_MAX
                            ? cancel(runId, attempt + 1)
                            : Future.failedFuture(
                                    ApiException.of(ErrorCode.UNAVAILABLE, "the run is being moved to another node"));
                });
    }

    /** Answered with whether it has ended. */
    private Future<Boolean> seizeAndEnd(String runId) {
        return database.read(tx -> store.seize(tx, runId, nodeId))
                .compose(seized -> seized.isEmpty() ? Future.succeededFuture(true) : end(seized.get()));
    }

    private Future<Boolean> end(RunCancelStore.CancelTarget run) {
        var end = new RunEndings.End(run.header().id(), run.fence(), RowEvent.Closing.CANCELED, run.wasPaused());
        return bus.ask(end, DEADLINE_MS).map(ended -> {
            ended.ifPresent(status -> {
                parents.childEnded(run.header(), status);
                bus.publish(Runs.Ended.of(run.header(), status));
            });
            return ended.isPresent();
        });
    }
}
