package io.millrace.engine.run.waitpoint;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.Pauses;
import io.millrace.engine.run.Pauses.Completion;
import io.millrace.engine.run.RunTimers;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.Waitpoints.ResumeResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Paused runs of one shard that a caller waits for. A paused run takes no memory; its caller is kept until its timeout,
 * because the run may answer after it has resumed.
 */
public final class PausedRuns {
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;
    private final RunTimers.Clockwork clockwork;
    private final long callerTimeoutMs;
    private final RemoteCallers remote;
    private final BiConsumer<OwnedRun, StartListener> carryOn;
    private final Map<String, ParkedCaller> parked = new HashMap<>();

    private record ParkedCaller(StartListener waiter, long timer) {}

    /**
     * @param callerTimeoutMs longest wait of a caller (AP_WEBHOOK_TIMEOUT_SECONDS)
     * @param remote callers of other nodes
     * @param carryOn continues a run for its waiting caller
     */
    public PausedRuns(
            Bus bus,
            RunTimers.Clockwork clockwork,
            long callerTimeoutMs,
            RemoteCallers remote,
            BiConsumer<OwnedRun, StartListener> carryOn) {
        this.bus = bus;
        this.clockwork = clockwork;
        this.callerTimeoutMs = callerTimeoutMs;
        this.remote = remote;
        this.carryOn = carryOn;
    }

    /** Completes a waitpoint; a waiting caller receives the run's answer (contract 13.4). */
    public Future<ResumeResult> resume(Waitpoints.Resume ask) {
        return bus.ask(new Pauses.Complete(ask.runId(), ask.target(), ask.payload()), DEADLINE_MS)
                .compose(completion -> switch (completion) {
                    case Completion.Resumption(var run, var _) -> goOn(run, ask);
                    case Completion.Deferral _ -> kept(ask);
                    case Completion.Stale(var status) -> Future.succeededFuture(new ResumeResult.Stale(status));
                    case Completion.NotYet(var status) -> Future.succeededFuture(new ResumeResult.NotYet(status));
                    case Completion.Over(var status) -> Future.succeededFuture(new ResumeResult.Over(status));
                });
    }

    private Future<ResumeResult> goOn(OwnedRun run, Waitpoints.Resume ask) {
        if (!ask.waiting()) {
            carryOn.accept(run, take(ask.runId()));
            return Future.succeededFuture(new ResumeResult.Recorded());
        }
        forget(ask.runId());
        var answer = Promise.<Runs.StartResult>promise();
        carryOn.accept(run, new StartListener.ForAnswer(answer));
        return answer.future().map(ResumeResult.Answered::new);
    }

    private Future<ResumeResult> kept(Waitpoints.Resume ask) {
        if (!ask.waiting()) {
            return Future.succeededFuture(new ResumeResult.Recorded());
        }
        var answer = Promise.<Runs.StartResult>promise();
        park(ask.runId(), new StartListener.ForAnswer(answer));
        return answer.future().map(ResumeResult.Answered::new);
    }

    /**
     * A run has paused: its caller is kept, unless a newer one waits already, or another node resumed the run before
     * this node received the acknowledgement of the pause.
     */
    public void paused(String runId, StartListener waiter) {
        var isTold = remote.paused(runId, waiter);
        if (waiter.wantsAnswer() && !isTold && !parked.containsKey(runId)) {
            park(runId, waiter);
        }
    }

    private void park(String runId, StartListener waiter) {
        forget(runId);
        parked.put(runId, new ParkedCaller(waiter, clockwork.setTimer(callerTimeoutMs, () -> parked.remove(runId))));
        remote.waitsHere(runId);
    }

    public void answered(Runs.AnsweredElsewhere notice) {
        var waiter = take(notice.runId());
        if (notice.answer() != null) {
            waiter.answered(notice.runId(), notice.answer());
        } else {
            waiter.ended(notice.runId(), notice.ended());
        }
    }

    public StartListener take(String runId) {
        var here = unpark(runId);
        return here == null ? remote.take(runId) : here;
    }

    private void forget(String runId) {
        unpark(runId);
        remote.forget(runId);
    }

    /** Removes and returns the waiting caller of this node, or null. */
    private StartListener unpark(String runId) {
        var left = parked.remove(runId);
        if (left == null) {
            return null;
        }
        clockwork.cancelTimer(left.timer());
        return left.waiter();
    }
}
