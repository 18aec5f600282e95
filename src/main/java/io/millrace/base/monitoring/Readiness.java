package io.millrace.base.monitoring;

import io.millrace.base.bus.Notice;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Readiness of this server for calls. The endpoint is public, so the checks run once a second at most, and concurrent
 * requests share them; a check that fails or takes too long counts as no. Thread-safe.
 */
public final class Readiness {
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long DEADLINE_MS = 2_000;

    private volatile ServerPhase phase = ServerPhase.STARTING;
    private List<Check> checks = List.of();
    private Future<Map<String, Boolean>> latest;
    private long latestNanos;

    /**
     * A dependency that a server needs to take calls.
     *
     * @param name its name in monitoring
     * @param holds callable on any thread
     */
    public record Check(String name, Supplier<Future<Boolean>> holds) {}

    /**
     * Result of the checks.
     *
     * @param checks by name, in their order; none while the server starts
     */
    public record Report(ServerPhase phase, Map<String, Boolean> checks) {
        public Report {
            checks = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(checks));
        }

        public boolean isReady() {
            return phase == ServerPhase.RUNNING && !checks.containsValue(false);
        }
    }

    /** Published when calls should be sent to other servers, for endpoints that report it in their own protocol. */
    public record Stopping() implements Notice {}

    /** The server begins to start, as it also does when it had to wait for its database. */
    public void starting() {
        phase = ServerPhase.STARTING;
    }

    public void migrating() {
        phase = ServerPhase.MIGRATING;
    }

    public synchronized void running(List<Check> wanted) {
        checks = List.copyOf(wanted);
        latest = null;
        phase = ServerPhase.RUNNING;
    }

    public void stopping() {
        phase = ServerPhase.STOPPING;
    }

    /** Never fails. */
    public Future<Report> report() {
        return phase == ServerPhase.STARTING || phase == ServerPhase.MIGRATING
                ? Future.succeededFuture(new Report(phase, Map.of()))
                : looked().map(found -> new Report(phase, found));
    }

    private synchronized Future<Map<String, Boolean>> looked() {
        var now = System.nanoTime();
        if (latest == null || latest.isComplete() && now - latestNanos > KEPT_NANOS) {
            latestNanos = now;
            latest = look(checks);
        }
        return latest;
    }

    private static Future<Map<String, Boolean>> look(List<Check> checks) {
        var answers = checks.stream().map(Readiness::answer).toList();
        return Future.all(answers).map(all -> {
            var found = new LinkedHashMap<String, Boolean>();
            for (var i = 0; i < checks.size(); i++) {
                found.put(checks.get(i).name(), all.<Boolean>resultAt(i));
            }
            return found;
        });
    }

    private static Future<Boolean> answer(Check check) {
        return Future.<Boolean>future(promise -> check.holds().get().onComplete(promise))
                .timeout(DEADLINE_MS, TimeUnit.MILLISECONDS)
                .otherwise(false);
    }
}
