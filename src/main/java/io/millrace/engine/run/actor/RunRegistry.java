package io.millrace.engine.run.actor;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.machine.LifecycleEvent.ShutDown;
import io.millrace.engine.run.machine.RunEvent.CancelRequested;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs of one shard: registers them at their begin, finds them by id, and releases them. */
public final class RunRegistry {
    /**
     * A project may hold at most this multiple of the free capacity: a single project four fifths of all, so that
     * others find room.
     */
    private static final int SHARE_OF_FREE = 4;

    private final int runsMax;
    private final Map<String, RunActor> runs = new HashMap<>();
    private final Map<String, Integer> byProject = new HashMap<>();
    private final PendingCancels cancels = new PendingCancels();
    private Promise<Void> emptied;
    private int committing;

    /** @param runsMax number of runs at which further starts are refused */
    public RunRegistry(int runsMax) {
        this.runsMax = runsMax;
    }

    /** The run with this id, or null. */
    public RunActor find(String runId) {
        return runs.get(runId);
    }

    public boolean has(String runId) {
        return runs.containsKey(runId);
    }

    boolean isEmpty() {
        return runs.isEmpty() && committing == 0;
    }

    private int size() {
        return runs.size() + committing;
    }

    public boolean isFull() {
        return size() >= runsMax;
    }

    public boolean isFullFor(String projectId) {
        return isFull() || byProject.getOrDefault(projectId, 0) > SHARE_OF_FREE * (runsMax - size());
    }

    /** Registers a run without an actor, which only waits for its commit. */
    public void enter(String projectId) {
        committing++;
        byProject.merge(projectId, 1, Integer::sum);
    }

    /** The commit of a run without an actor is over; call {@link #tellIfEmpty} after the follow-up work. */
    public void leave(String projectId) {
        committing--;
        forget(projectId);
    }

    public void add(RunActor run) {
        if (runs.put(run.runId(), run) != null) {
            forget(run.header().projectId());
        }
        byProject.merge(run.header().projectId(), 1, Integer::sum);
    }

    private void forget(String projectId) {
        byProject.computeIfPresent(projectId, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Completes with whether the run ended, as soon as it is over here. */
    public Future<Boolean> cancel(RunCancel cancel) {
        var run = runs.get(cancel.runId());
        if (run == null) {
            return Future.succeededFuture(false);
        }
        var over = cancels.over(cancel.runId());
        run.accept(new CancelRequested());
        return over;
    }

    public Optional<RunView.CurrentLog> view(RunView view) {
        return Optional.ofNullable(runs.get(view.runId())).flatMap(RunActor::view);
    }

    /** Replaces an actor by another one; later events of the old actor are ignored. Returns the waiting caller. */
    public StartListener supersede(RunActor run, RunSnapshot next) {
        runs.remove(run.runId());
        forget(run.header().projectId());
        return run.supersede(next);
    }

    /** @param ended whether the run is over; otherwise it continues later, or at another node */
    public void release(RunDepartures.Departure run, boolean ended) {
        if (runs.remove(run.runId(), run.inbox())) {
            forget(run.header().projectId());
        }
        cancels.tell(run.runId(), ended);
    }

    public boolean isClosing() {
        return emptied != null;
    }

    public static <T> Future<T> refusal() {
        return Future.failedFuture(ApiException.of(ErrorCode.UNAVAILABLE, "the server is stopping"));
    }

    /** Stops accepting runs; the promise completes when the last one has left. */
    public Promise<Void> close() {
        emptied = Promise.promise();
        return emptied;
    }

    /** Releases every run in its current state: its rows are the input of the next owner. */
    public void abandonAll() {
        var refusal = ApiException.of(ErrorCode.UNAVAILABLE, "the server is stopping");
        List.copyOf(runs.values()).forEach(run -> run.accept(new ShutDown(refusal)));
    }

    /** Call this after the follow-up work of a run's departure: the same run may have returned by then. */
    public void tellIfEmpty() {
        if (emptied != null && isEmpty()) {
            emptied.tryComplete();
        }
    }
}
