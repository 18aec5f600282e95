package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.log.RecordText;
import io.millrace.engine.run.machine.LiveStatus;
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
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Stores runs as rows without an owner, in the transaction of the caller; the sweeper of any node then assigns an
 * owner. Drops items with a recently seen {@code _dedupe_key} (contract flows-and-engine 18.6).
 *
 * <p>A transaction stores a limited number of runs. It stores further items as a backlog, whose parts become runs in
 * later transactions: an accepted item is not lost, and the transaction of its cursor has no limit of items.
 */
public final class RunIngest implements RunIntake {
    private static final int ROWS_AT_ONCE = 500;

    /** Most runs of one transaction. */
    private static final int RUNS_AT_ONCE = 10_000;

    /** Most items in a row of the backlog, which one transaction makes runs of. */
    private static final int BACKLOG_ITEMS = 1_000;

    private final Bus bus;
    private final InstantSource clock;
    private final RunIngestStore store = new RunIngestStore();

    public RunIngest(Bus bus, InstantSource clock) {
        this.bus = bus;
        this.clock = clock;
    }

    @Override
    public Future<Integer> accept(Tx tx, Target target, List<JsonNode> items) {
        var keyed = items.stream()
                .map(item -> new KeyedItem(
                        DedupeKey.of(target.flowVersionId(), RunEnvironment.PRODUCTION, item),
                        DedupeKey.removedFrom(item)))
                .toList();
        return fresh(tx, keyed, KeyedItem::key)
                .map(kept -> kept.stream().map(KeyedItem::value).toList())
                .compose(values -> accept(tx, target, values, Math.min(values.size(), RUNS_AT_ONCE))
                        .map(values.size()));
    }

    /**
     * An item without its key.
     *
     * @param key or null
     */
    private record KeyedItem(DedupeKey key, JsonNode value) {}

    private Future<Void> accept(Tx tx, Target target, List<JsonNode> values, int atOnce) {
        var done = insertRuns(tx, target, values.subList(0, atOnce));
        for (var part : parts(values.subList(atOnce, values.size()), BACKLOG_ITEMS)) {
            done = done.compose(_ ->
                    store.insertBacklog(tx, target, RecordText.of(Json.array().addAll(part))));
        }
        return done;
    }

    /** Makes runs of a part of the backlog; returns false when there is none, or only parts in other transactions. */
    public Future<Boolean> acceptBacklog(Tx tx) {
        return store.takeBacklog(tx)
                .compose(taken -> taken.map(part -> insertRuns(tx, part.target(), part.values()))
                        .orElseGet(Future::succeededFuture)
                        .map(taken.isPresent()));
    }

    private Future<Void> insertRuns(Tx tx, Target target, List<JsonNode> values) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var done = Future.<Void>succeededFuture();
        var first = 0;
        for (var part : parts(values, ROWS_AT_ONCE)) {
            var created = now.plus(first, ChronoUnit.MICROS);
            done = done.compose(_ -> store.insert(tx, status(), runs(target, created, part)));
            first += part.size();
        }
        return done;
    }

    /** Runs one microsecond apart, so that lists show them in the order of their items. */
    private static List<IngestedRun> runs(Target target, Instant created, List<JsonNode> values) {
        var runs = new ArrayList<IngestedRun>(values.size());
        for (var value : values) {
            var header = header(target, created.plus(runs.size(), ChronoUnit.MICROS));
            runs.add(new IngestedRun(header, null, RecordText.of(value)));
        }
        return runs;
    }

    private static <T> List<List<T>> parts(List<T> all, int size) {
        var parts = new ArrayList<List<T>>();
        for (var from = 0; from < all.size(); from += size) {
            parts.add(all.subList(from, Math.min(all.size(), from + size)));
        }
        return parts;
    }

    private static LiveStatus status() {
        return RunRow.on(null, RowEvent.Queueing.INGESTED).orElseThrow();
    }

    private static RunWrite.RunHeader header(Target target, Instant created) {
        return new RunWrite.RunHeader(
                Runs.nextId(created),
                created,
                target.projectId(),
                new RunWrite.RunHeader.FlowOfRun(target.flowId(), target.flowVersionId()),
                RunEnvironment.PRODUCTION,
                null,
                new RunWrite.RunHeader.RunOrigin(null, true, null, null, null),
                target.flowName());
    }

    @Override
    public void wake() {
        bus.publish(new Runs.TakenIn());
    }

    /** Stores runs, except those with a recently seen key; returns the ids of the stored runs. */
    Future<Set<String>> takeIn(Tx tx, List<IngestedRun> runs) {
        return fresh(tx, runs, IngestedRun::key).compose(kept -> insert(tx, kept));
    }

    /** Elements without a key, and the first of those with each key that was not seen recently; claims these keys. */
    private <T> Future<List<T>> fresh(Tx tx, List<T> all, Function<T, DedupeKey> keyOf) {
        var keys = all.stream().map(keyOf).filter(Objects::nonNull).collect(Collectors.toSet());
        return keys.isEmpty()
                ? Future.succeededFuture(all)
                : store.takeKeys(tx, keys, clock.instant()).map(free -> firstOfEachKey(all, keyOf, free));
    }

    private static <T> List<T> firstOfEachKey(List<T> all, Function<T, DedupeKey> keyOf, Set<DedupeKey> free) {
        var left = new HashSet<>(free);
        return all.stream()
                .filter(each -> keyOf.apply(each) == null || left.remove(keyOf.apply(each)))
                .toList();
    }

    private Future<Set<String>> insert(Tx tx, List<IngestedRun> runs) {
        var done = Future.<Void>succeededFuture();
        for (var rows : parts(runs, ROWS_AT_ONCE)) {
            done = done.compose(_ -> store.insert(tx, status(), rows));
        }
        return done.map(runs.stream().map(run -> run.header().id()).collect(Collectors.toSet()));
    }
}
