package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.DeepJson;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunQueries;
import io.vertx.core.Future;
import io.vertx.core.Vertx;

/** Waits for runs on behalf of a tool: a model needs the result, not a notice of the start. */
public final class RunWait {
    private static final long DEADLINE_MS = 10_000;
    private static final long LOOK_FIRST_MS = 50;
    private static final long LOOK_MS_MAX = 2_000;

    private final Bus bus;
    private final long timeoutMs;
    private final RunCancels cancels;

    public RunWait(Bus bus, long timeoutMs) {
        this.bus = bus;
        this.timeoutMs = timeoutMs;
        this.cancels = new RunCancels(bus);
    }

    /** Waits for a run; completes with its state at its end, or at the timeout. A call that is canceled cancels the run. */
    Future<JsonNode> end(Tool.Use use, Run run) {
        var ended = look(run.id(), LOOK_FIRST_MS, System.nanoTime());
        return cancels.ofRun(use.cancellation(), use.projectId(), run.id(), ended)
                .compose(_ -> bus.ask(new RunQueries.Get(use.by(), run.id()), DEADLINE_MS))
                .map(text -> DeepJson.trusted(text.getBytes()));
    }

    /** Polls a run with increasing pauses: most runs end at once, the others take long. */
    private Future<Run> look(String runId, long pauseMs, long began) {
        return bus.ask(new RunQueries.Look(runId), DEADLINE_MS).compose(run -> {
            var waitedMs = (System.nanoTime() - began) / 1_000_000;
            return run.status().isTerminal() || waitedMs > timeoutMs
                    ? Future.succeededFuture(run)
                    : Vertx.currentContext()
                            .owner()
                            .timer(pauseMs)
                            .compose(_ -> look(runId, Math.min(LOOK_MS_MAX, pauseMs * 2), began));
        });
    }
}
