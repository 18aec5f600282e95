package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.machine.RunRow;
import io.millrace.engine.trigger.RunIntake;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Stores runs as rows without an owner, in the transaction of the caller; the sweeper of any node then assigns an
 * owner. Drops items with a recently seen {@code _dedupe_key} (contract flows-and-engine 18.6).
 */
public final class RunIngest implements RunIntake {
    private static final int ROWS_AT_ONCE = 500;

    private final Bus bus;
    private final InstantSource clock;
    private final RunIngestStore store = new RunIngestStore();

    public RunIngest(Bus bus, InstantSource clock) {
        this.bus = bus;
        this.clock = clock;
    }

    @Override
    public Future<Integer> accept(Tx tx, Target target, List<JsonNode> items) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var runs = new ArrayList<IngestedRun>(items.size());
        for (var item : items) {
            // One microsecond apart, so that lists show runs in the order of their items.
            var header = header(target, now.plus(runs.size(), ChronoUnit.MICROS));
            var payload = RecordText.of(DedupeKey.removedFrom(item));
            runs.add(new IngestedRun(header, DedupeKey.of(header, item), payload));
        }
        return takeIn(tx, runs).map(Set::size);
    }

    private static RunWrite.RunHeader header(Target target, Instant created) {
        return new RunWrite.RunHeader(
                Runs.nextId(created),
                created,
                target.projectId(),
                new RunWrite.RunHeader.FlowOfRun(target.flowId(), target.flowVersionId()),
                RunEnvironment.PRODUCTION,
                null,
                new RunWrite.RunHeader.RunOrigin(null, true, null, null),
                target.flowName());
    }

    @Override
    public void wake() {
        bus.publish(new Runs.TakenIn());
    }

    /** Stores runs, except those with a recently seen key; returns the ids of the stored runs. */
    Future<Set<String>> takeIn(Tx tx, List<IngestedRun> runs) {
        var keys = runs.stream().map(IngestedRun::key).filter(Objects::nonNull).collect(Collectors.toSet());
        return (keys.isEmpty()
                        ? Future.succeededFuture(Set.<DedupeKey>of())
                        : store.takeKeys(tx, keys, clock.instant()))
                .compose(fresh -> insert(tx, firstOfEachKey(runs, fresh)));
    }

    /** Runs without a key, and the first of those with each new key. */
    private static List<IngestedRun> firstOfEachKey(List<IngestedRun> runs, Set<DedupeKey> fresh) {
        var left = new HashSet<>(fresh);
        var kept = new ArrayList<IngestedRun>(runs.size());
        for (var run : runs) {
            if (run.key() == null || left.remove(run.key())) {
                kept.add(run);
            }
        }
        return kept;
    }

    private Future<Set<String>> insert(Tx tx, List<IngestedRun> runs) {
        var status = RunRow.on(null, RowEvent.Queueing.INGESTED).orElseThrow();
        var done = Future.<Void>succeededFuture();
        for (var from = 0; from < runs.size(); from += ROWS_AT_ONCE) {
            var rows = runs.subList(from, Math.min(runs.size(), from + ROWS_AT_ONCE));
            done = done.compose(_ -> store.insert(tx, status, rows));
        }
        return done.map(runs.stream().map(run -> run.header().id()).collect(Collectors.toSet()));
    }
}
