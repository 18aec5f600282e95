package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Waitpoints;
import io.vertx.core.Future;
import java.util.function.LongFunction;

/** Delivers the result of an agent to the waiting flow run. Idempotent: a waitpoint is completed once. */
final class AgentDelivery {
    private static final long DEADLINE_MS = 30_000;
    private static final int ATTEMPTS_MAX = 5;
    private static final long PAUSE_MS = 500;

    private final Bus bus;
    private final RunShards shards;
    private final LongFunction<Future<Void>> timer;

    AgentDelivery(Bus bus, RunShards shards, LongFunction<Future<Void>> timer) {
        this.bus = bus;
        this.shards = shards;
        this.timer = timer;
    }

    /** Completes when the result is recorded at the waitpoint, or when no step waits for it. */
    Future<Void> hand(AgentRun run, ObjectNode result) {
        return run.waitpointId() == null ? Future.succeededFuture() : hand(run.flowRunId(), run.waitpointId(), result);
    }

    Future<Void> hand(String flowRunId, String waitpointId, ObjectNode result) {
        var payload = Json.object();
        payload.set("body", result);
        payload.putObject("headers");
        payload.putObject("queryParams");
        return resume(
                new Waitpoints.Resume(flowRunId, new Waitpoints.Target.OfWaitpoint(waitpointId), payload, false), 1);
    }

    private Future<Void> resume(Waitpoints.Resume resume, int attempt) {
        return bus.ask(Waitpoints.addressOf(shards, resume.runId()), resume, DEADLINE_MS)
                .compose(
                        resumed -> resumed instanceof Waitpoints.ResumeResult.NotYet
                                ? again(resume, attempt, new IllegalStateException("the step is not waiting yet"))
                                : Future.succeededFuture(),
                        failure -> ApiException.isNotFound(failure)
                                ? Future.succeededFuture()
                                : again(resume, attempt, failure));
    }

    private Future<Void> again(Waitpoints.Resume resume, int attempt, Throwable cause) {
        return attempt == ATTEMPTS_MAX
                ? Future.failedFuture(cause)
                : timer.apply(PAUSE_MS << attempt).compose(_ -> resume(resume, attempt + 1));
    }
}
