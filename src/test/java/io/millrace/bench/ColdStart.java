package io.millrace.bench;

import io.millrace.base.core.Json;
import io.millrace.bench.LoadGenerator.Target;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;

/**
 * Times and memory of a freshly started server.
 *
 * @param healthySeconds from the start of the process, with an existing database, to the first successful health check
 * @param idleMegabytes memory of all processes some seconds later, including a code worker
 * @param listMs median of the first forty lists of runs
 * @param codeMs first call of a flow with a code step
 */
record ColdStart(double healthySeconds, double idleMegabytes, double listMs, double codeMs) {
    private static final Duration LOOK = Duration.ofMillis(5);
    private static final Duration SETTLING = Duration.ofSeconds(15);
    private static final int LISTS = 40;

    /** Rows of a list. */
    static final int RUNS = 50;

    /**
     * Measures a server whose process was started at this moment.
     *
     * @param published flow with code in a project with at least as many runs as a list has rows
     * @param load client of the lists; the client of the tests checks each response against the API document, which
     *     takes as long as the response while it is not compiled
     */
    static ColdStart measure(ServerProcess server, PublishedFlow published, LoadGenerator load, Duration deadline) {
        var healthy = healthySeconds(server, deadline);
        var anonymous = server.api(deadline);
        var idle = megabytesWhenIdle(server);
        var codeMs = millisOf(
                () -> anonymous.post("/v1/webhooks/" + published.flowId() + "/sync", Json.trusted(Bench.ORDER)));
        var api = published.at(anonymous).api();
        var path = "/v1/flow-runs?projectId=" + published.projectId() + "&limit=" + RUNS;
        var lists = load.first(Target.get(server.port(deadline), "/api" + path, api.token()), LISTS);
        if (lists.answered() != LISTS || api.get(path).body().path("data").size() != RUNS) {
            throw new AssertionError("expected " + LISTS + " lists of " + RUNS + " runs");
        }
        return new ColdStart(healthy, idle, lists.medianMs(), codeMs);
    }

    /** From this moment, at which the process was started. */
    static double healthySeconds(ServerProcess server, Duration deadline) {
        var begun = System.nanoTime();
        var anonymous = server.api(deadline);
        while (anonymous.get("/v1/health").status() != 200) {
            LockSupport.parkNanos(LOOK.toNanos());
        }
        return millisSince(begun) / 1000;
    }

    /** Memory of all processes after an idle period. */
    static double megabytesWhenIdle(ServerProcess server) {
        LockSupport.parkNanos(SETTLING.toNanos());
        return Memory.megabytes(server);
    }

    static void say(List<ColdStart> found, BenchReport report) {
        report.judge("cold start to a healthy answer", median(found, ColdStart::healthySeconds), "s", 0.8, false);
        report.say(
                "idle memory of all processes with a worker for code: %.0f MB",
                median(found, ColdStart::idleMegabytes));
        report.judge("first call of a code step after a start", median(found, ColdStart::codeMs), "ms", 300, false);
        report.judge("first forty lists of 50 runs, median", median(found, ColdStart::listMs), "ms", 3, false);
    }

    private static double median(List<ColdStart> found, ToDoubleFunction<ColdStart> value) {
        return found.stream().mapToDouble(value).sorted().toArray()[found.size() / 2];
    }

    private static double millisOf(Runnable call) {
        var begun = System.nanoTime();
        call.run();
        return millisSince(begun);
    }

    private static double millisSince(long begun) {
        return (System.nanoTime() - begun) / 1e6;
    }
}
