package io.millrace.engine.run.start;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.GroupCommit;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.RunDurableWrite;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.machine.RunRow;
import io.millrace.engine.run.start.StartKeys.Claim;
import io.millrace.engine.run.start.StartKeys.First;
import io.millrace.engine.run.start.StartKeys.StartClaim;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Stores the keys under which runs are started (decision 0033). The row serializes concurrent claims of all nodes: one
 * claim wins, the others receive its run.
 */
public final class StartKeyService implements BusService {
    /** Deadlines of claims are those of the runs that they begin. */
    static final long DEADLINE_MS = RunWrite.DEADLINE_MS;

    private static final GroupCommit.Limits LIMITS = new GroupCommit.Limits(1, 200, 8 << 20, 20_000, 256 << 20, 20_000);
    private static final long LOOK_AGAIN_MS = 10;
    private static final long LOOK_AGAIN_MS_MAX = 250;

    /** Common order in which all nodes claim the keys of a flush, which prevents deadlocks. */
    private static final Comparator<StartKeys.Row> BY_KEY = Comparator.comparing(
                    (StartKeys.Row row) -> row.claim().key().flowId())
            .thenComparing(row -> row.claim().key().environment())
            .thenComparing(row -> row.claim().key().text());

    private final Vertx vertx;
    private final Database database;
    private final String nodeId;
    private final Duration window;
    private final InstantSource clock;
    private final StartKeyStore store = new StartKeyStore();
    private final GroupCommit<Claim, StartClaim> claims;
    private final Map<StartKey, Future<Optional<First>>> looks = new HashMap<>();

    /**
     * Makes the service.
     *
     * @param window retention of a key (AP_IDEMPOTENCY_KEY_HOURS)
     * @param startPatience how long the start of a run waits for an unavailable database
     */
    public StartKeyService(
            Vertx vertx,
            Database database,
            String nodeId,
            Duration window,
            Duration startPatience,
            InstantSource clock) {
        this.vertx = vertx;
        this.database = database;
        this.nodeId = nodeId;
        this.window = window;
        this.clock = clock;
        this.claims = new GroupCommit<>(
                LIMITS,
                Claim::bytes,
                _ -> startPatience.toMillis(),
                this::flush,
                delayMs -> vertx.timer(delayMs).mapEmpty(),
                database::unavailableMs);
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Claim.class, claims::submit);
        bus.serve(StartKeys.Find.class, find -> look(find.key()));
        bus.serve(StartKeys.Await.class, this::await);
    }

    /** A claim that loses against a claim of the same flush is answered like one that loses against an older claim. */
    private Future<List<StartClaim>> flush(List<Claim> batch) {
        var now = now();
        var rows = firstOfEachKey(batch).stream()
                .map(claim -> new StartKeys.Row(claim, now.plus(window)))
                .sorted(BY_KEY)
                .toList();
        var status = RunRow.on(null, RowEvent.Queueing.CLAIMED).orElseThrow();
        return database.durably(
                RunDurableWrite.KEYED,
                () -> database.urgent()
                        .read(tx -> store.claim(tx, status, rows, nodeId, now)
                                .compose(taken -> outcomes(tx, batch, taken, now))));
    }

    private Future<List<StartClaim>> outcomes(Tx tx, List<Claim> batch, Set<String> taken, Instant now) {
        var others = batch.stream()
                .filter(claim -> !taken.contains(claim.first().id()))
                .map(Claim::key)
                .distinct()
                .toList();
        return (others.isEmpty() ? Future.succeededFuture(Map.<StartKey, First>of()) : store.find(tx, others, now))
                .map(found -> batch.stream()
                        .map(claim -> taken.contains(claim.first().id())
                                ? new StartClaim.Ours()
                                : claimed(claim, found.get(claim.key())))
                        .toList());
    }

    private static List<Claim> firstOfEachKey(List<Claim> batch) {
        var seen = new HashSet<StartKey>();
        return batch.stream().filter(claim -> seen.add(claim.key())).toList();
    }

    /** A flush that is repeated, because its answer was lost, finds its own claims. */
    private static StartClaim claimed(Claim claim, First holder) {
        if (holder == null) {
            throw ApiException.of(ErrorCode.UNAVAILABLE, "the key of the start has just expired");
        }
        return holder.runId().equals(claim.first().id()) ? new StartClaim.Ours() : new StartClaim.Duplicate(holder);
    }

    private Future<Optional<First>> look(StartKey key) {
        return database.read(tx -> store.find(tx, List.of(key), now()))
                .map(found -> Optional.ofNullable(found.get(key)));
    }

    /** Another node may execute the run, so the row is polled, once for all waiters of this node. */
    private Future<Optional<First>> await(StartKeys.Await ask) {
        return await(ask.key(), ask.waitMs(), LOOK_AGAIN_MS);
    }

    private Future<Optional<First>> await(StartKey key, long leftMs, long pauseMs) {
        return sharedLook(key).compose(found -> {
            var isSettled = found.isEmpty() || found.get().outcome().isPresent();
            return isSettled || leftMs <= 0
                    ? Future.succeededFuture(found)
                    : vertx.timer(pauseMs)
                            .compose(_ -> await(key, leftMs - pauseMs, Math.min(2 * pauseMs, LOOK_AGAIN_MS_MAX)));
        });
    }

    private Future<Optional<First>> sharedLook(StartKey key) {
        var present = looks.get(key);
        if (present != null) {
            return present;
        }
        var look = look(key);
        looks.put(key, look);
        look.onComplete(_ -> looks.remove(key, look));
        return look;
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
