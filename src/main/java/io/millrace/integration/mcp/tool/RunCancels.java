package io.millrace.integration.mcp.tool;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunQueries;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cancels what a tool call has started, when the client cancels the call. */
final class RunCancels {
    private static final Logger LOG = LoggerFactory.getLogger(RunCancels.class);

    private static final long DEADLINE_MS = 10_000;
    private static final long RETRY_MS = 250;

    /** A run that has just been started may not be stored yet. */
    private static final int ATTEMPTS_MAX = 40;

    private final Bus bus;

    RunCancels(Bus bus) {
        this.bus = bus;
    }

    /** Cancels a run of a project on request; the same call otherwise. */
    <T> Future<T> ofRun(CallCancellation cancellation, String projectId, String runId, Future<T> call) {
        var filter = new RunQueries.Filter(
                projectId,
                List.of(),
                List.of(),
                List.of(),
                new RunQueries.Filter.RunIdSets(List.of(runId), List.of(), Optional.empty()),
                new RunQueries.Filter.CreationRange(Optional.empty(), Optional.empty()),
                new RunQueries.Filter.FailedStepFilter(Optional.empty(), Optional.empty()),
                false);
        return of(cancellation, runId, call, () -> bus.ask(new RunCommands.Cancel(filter), DEADLINE_MS));
    }

    /**
     * Performs a cancellation on request, repeatedly until the call has ended.
     *
     * @param id id of the canceled run, for the log
     */
    <T> Future<T> of(CallCancellation cancellation, String id, Future<T> call, Supplier<Future<?>> cancel) {
        cancellation.requested().onSuccess(_ -> attempt(id, call, cancel, 1));
        return call;
    }

    private void attempt(String id, Future<?> call, Supplier<Future<?>> cancel, int attempt) {
        if (call.isComplete()) {
            return;
        }
        if (attempt > ATTEMPTS_MAX) {
            LOG.warn("run {} continues although its call over MCP was canceled {} times", id, ATTEMPTS_MAX);
            return;
        }
        cancel.get()
                .onFailure(cause -> LOG.info("cannot cancel run {}, retrying: {}", id, cause.getMessage()))
                .onComplete(_ -> Vertx.currentContext()
                        .owner()
                        .timer(RETRY_MS)
                        .onComplete(_ -> attempt(id, call, cancel, attempt + 1)));
    }
}
