package io.millrace.engine.run.redecide;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Executes walks that callers request, with a limit for each project. They have their own threads: a walk takes seconds, and
 * the shared worker threads of the server serve files, logs and pieces. Thread-safe.
 */
public final class WalkExecutor {
    /** Threads of a node for the walks of all projects. */
    public static final int THREADS = 2;

    /** Walks of a project on this node at a time, including waiting ones. */
    static final int WALKS_MAX = 4;

    private final WorkerExecutor threads;
    private final Map<String, Integer> executing = new HashMap<>();

    /** @param threads used by walks only */
    public WalkExecutor(WorkerExecutor threads) {
        this.threads = threads;
    }

    /** Purpose of a walk; each has a separate limit, so that readers of a flow do not delay its publication. */
    public enum Purpose {
        READING,
        PUBLICATION
    }

    /** Fails with TOO_MANY_REQUESTS at the limit of the project. */
    public <T> Future<T> execute(String projectId, Purpose purpose, Callable<T> walk) {
        var key = purpose + "/" + projectId;
        if (!enters(key)) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.TOO_MANY_REQUESTS,
                    "project " + projectId + " has " + WALKS_MAX
                            + " tests or replays of flows in progress: wait for their end"));
        }
        return threads.executeBlocking(walk, false).onComplete(_ -> leave(key));
    }

    private synchronized boolean enters(String key) {
        if (executing.getOrDefault(key, 0) >= WALKS_MAX) {
            return false;
        }
        executing.merge(key, 1, Integer::sum);
        return true;
    }

    private synchronized void leave(String key) {
        executing.computeIfPresent(key, (_, count) -> count == 1 ? null : count - 1);
    }
}
