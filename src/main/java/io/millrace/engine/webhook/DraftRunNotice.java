package io.millrace.engine.webhook;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.Runs;
import io.vertx.core.Future;
import java.util.function.Supplier;

/**
 * Notifies open editors of a draft run whose caller waits for its answer (contract flows-and-engine 17.1). Editors read the
 * run's row, so the notice is published as soon as the row exists: during the run if it saves before its end, otherwise at its
 * end. Stays on the context of the caller that starts the run.
 */
final class DraftRunNotice {
    private final Bus bus;
    private final Runs.Announced notice;
    private boolean told;

    private DraftRunNotice(Bus bus, Runs.Announced notice) {
        this.bus = bus;
        this.notice = notice;
    }

    static Future<Runs.StartResult> around(
            Bus bus, String projectId, String runId, Supplier<Future<Runs.StartResult>> start) {
        var draft = new DraftRunNotice(bus, new Runs.Announced(projectId, runId));
        var saved = bus.on(Runs.Shown.class, shown -> draft.saved(shown.runId()));
        var ended = bus.on(Runs.Ended.class, over -> draft.saved(over.runId()));
        return start.get()
                .onComplete(_ -> {
                    saved.close();
                    ended.close();
                })
                .onSuccess(draft::answered);
    }

    private void saved(String runId) {
        if (!told && runId.equals(notice.runId())) {
            told = true;
            bus.publish(notice);
        }
    }

    /**
     * Publishes the notice for an answered run, whose row is durable by then; a repeated call, or one without an item, has no
     * run.
     */
    private void answered(Runs.StartResult started) {
        switch (started) {
            case Runs.StartResult.Answered(var runId, var _) -> saved(runId);
            case Runs.StartResult.Failed(var runId, var _) -> saved(runId);
            case Runs.StartResult.Silent(var runId) -> saved(runId);
            case Runs.StartResult.Accepted _, Runs.StartResult.Repeated _, Runs.StartResult.NoItem _ -> {}
        }
    }
}
