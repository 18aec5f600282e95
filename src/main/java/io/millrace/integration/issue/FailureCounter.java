package io.millrace.integration.issue;

import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.RunStatus;
import io.millrace.integration.failure.CauseRules;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Counts recorded failures in issues, one batch at a time. Logs are read for new issues only, before the transaction that
 * counts. Confined to the context of its service.
 */
public final class FailureCounter {
    /** Logs read for one batch; further new issues are classified by their rows. */
    private static final int LOGS_MAX = 20;

    private final Database database;
    private final LoggedSteps logs;
    private final int issuesPerFlowMax;
    private final InstantSource clock;
    private final FailureStore failures = new FailureStore();
    private final IssueStore issues = new IssueStore();

    private Future<Integer> running = Future.succeededFuture(0);
    private Future<Integer> next = Future.succeededFuture(0);

    /** @param issuesPerFlowMax issues of a flow; failures with other causes are counted together */
    public FailureCounter(Database database, LoggedSteps logs, int issuesPerFlowMax, InstantSource clock) {
        this.database = database;
        this.logs = logs;
        this.issuesPerFlowMax = issuesPerFlowMax;
        this.clock = clock;
    }

    /** Counts the failures recorded until now, at most a number; concurrent callers share a batch that has not begun. */
    Future<Integer> count(int limit) {
        if (running.isComplete()) {
            running = batch(limit);
            return running;
        }
        if (next.isComplete()) {
            next = running.transform(_ -> {
                running = batch(limit);
                return running;
            });
        }
        return next;
    }

    private Future<Integer> batch(int limit) {
        return database.read(tx -> failures.pending(tx, limit))
                .compose(pending -> pending.isEmpty() ? Future.succeededFuture(0) : counted(pending));
    }

    /**
     * A batch before it is counted.
     *
     * @param keys issues that exist or may be created
     * @param fresh one failure of each issue that does not exist
     */
    private record Batch(Set<CauseKey> keys, Map<CauseKey, RecordedFailure> fresh) {}

    private Future<Integer> counted(List<RecordedFailure> pending) {
        return database.read(tx -> prepared(tx, pending))
                .compose(batch -> causes(batch.fresh())
                        .compose(causes -> database.inTransaction(tx -> failures.take(tx, pending)
                                .compose(taken -> add(tx, FailureCount.of(taken, batch.keys()), causes)))))
                .map(pending.size());
    }

    private Future<Batch> prepared(Tx tx, List<RecordedFailure> pending) {
        var byKey = new LinkedHashMap<CauseKey, RecordedFailure>();
        pending.forEach(failure -> byKey.put(failure.key(), failure));
        var flows = pending.stream().map(RecordedFailure::flowId).distinct().toList();
        return issues.known(tx, List.copyOf(byKey.keySet()))
                .compose(known -> failures.issuesOf(tx, flows).map(counts -> {
                    var keys = new HashSet<>(known);
                    var fresh = new LinkedHashMap<CauseKey, RecordedFailure>();
                    var room = new HashMap<>(counts);
                    byKey.forEach((key, failure) -> {
                        if (!keys.contains(key) && room.merge(key.flowId(), 1L, Long::sum) <= issuesPerFlowMax) {
                            keys.add(key);
                            fresh.put(key, failure);
                        }
                    });
                    return new Batch(keys, fresh);
                }));
    }

    private Future<Map<CauseKey, String>> causes(Map<CauseKey, RecordedFailure> fresh) {
        var causes = new HashMap<CauseKey, String>();
        var done = Future.<Void>succeededFuture();
        for (var issue : fresh.entrySet().stream().limit(LOGS_MAX).toList()) {
            var failure = issue.getValue();
            done = done.compose(_ -> logs.of(failure.runId())).map(steps -> {
                var facts = LoggedSteps.facts(failure.status(), failure.stepName(), failure.text(), steps);
                causes.put(issue.getKey(), CauseRules.of(facts).cause().text());
                return null;
            });
        }
        return done.map(causes);
    }

    private Future<Void> add(Tx tx, List<FailureCount> counts, Map<CauseKey, String> causes) {
        Instant now = clock.instant();
        var done = Future.<Void>succeededFuture();
        for (var count : counts) {
            var newest = count.newest();
            var facts = newest.facts();
            var cause = causes.getOrDefault(
                    count.key(), CauseRules.of(facts).cause().text());
            // Details of internal errors are visible to administrators only; they read them in the run.
            var message = newest.status() == RunStatus.INTERNAL_ERROR ? "" : facts.message();
            done = done.compose(_ -> failures.add(tx, count, cause, message, now));
        }
        return done;
    }
}
