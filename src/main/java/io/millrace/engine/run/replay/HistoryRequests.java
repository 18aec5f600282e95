package io.millrace.engine.run.replay;

import io.millrace.authoring.flow.Flows;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.engine.run.redecide.Redecider;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.util.HashMap;
import java.util.Map;

/**
 * Re-decides the history of flows. Requests of a project are limited; all requests of a node share one worker thread, so
 * that live runs keep the other processors and the event loops.
 */
public final class HistoryRequests {
    private static final long DEADLINE_MS = 30_000;
    private static final int THREADS = 1;

    private final Bus bus;
    private final WorkerExecutor worker;
    private final Redecider redecider;
    private final ReadVersions versions;
    private final Limits limits;
    private final Map<String, Integer> executing = new HashMap<>();

    /**
     * Limits of requests.
     *
     * @param runsMax runs of one request (AP_REDECISION_RUNS_MAX)
     * @param requestsMax concurrent requests of a project on this node (AP_REDECISIONS_MAX)
     */
    public record Limits(int runsMax, int requestsMax) {}

    public HistoryRequests(Vertx vertx, Bus bus, RedecisionEngine engine, Limits limits) {
        this.bus = bus;
        this.worker = vertx.createSharedWorkerExecutor("redecision", THREADS);
        this.redecider = engine.redecider();
        this.versions = new ReadVersions(bus, engine.compiler());
        this.limits = limits;
    }

    int runsMax() {
        return limits.runsMax();
    }

    /**
     * Prepares a request: reads the version, and takes a place among the requests of the project. The caller must close
     * the result. Fails with TOO_MANY_REQUESTS without a place.
     */
    Future<HistoryWalk> prepare(HistoryQuery query) {
        return bus.ask(new Flows.ProjectOf(query.flowId()), DEADLINE_MS)
                .compose(projectId -> targetOf(query)
                        .compose(id -> versions.read(id, projectId))
                        .map(target -> {
                            if (!target.version().flowId().equals(query.flowId())) {
                                throw ApiException.notFound("flow_version", query.version());
                            }
                            enter(projectId);
                            return new HistoryWalk(
                                    bus, worker, redecider, versions, query, target, projectId, () -> leave(projectId));
                        }));
    }

    private Future<String> targetOf(HistoryQuery query) {
        return switch (query.version()) {
            case "draft" -> versions.chosen(query.flowId(), "", Replays.VersionChoice.DRAFT);
            case "published" -> versions.chosen(query.flowId(), "", Replays.VersionChoice.PUBLISHED);
            default ->
                Ids.isId(query.version())
                        ? Future.succeededFuture(query.version())
                        : Future.failedFuture(ApiException.notFound("flow_version", query.version()));
        };
    }

    private void enter(String projectId) {
        synchronized (executing) {
            if (executing.getOrDefault(projectId, 0) >= limits.requestsMax()) {
                throw ApiException.of(
                        ErrorCode.TOO_MANY_REQUESTS,
                        "project " + projectId + " has " + limits.requestsMax()
                                + " re-decisions in progress: wait for their end, or raise AP_REDECISIONS_MAX");
            }
            executing.merge(projectId, 1, Integer::sum);
        }
    }

    private void leave(String projectId) {
        synchronized (executing) {
            executing.computeIfPresent(projectId, (_, count) -> count == 1 ? null : count - 1);
        }
    }
}
