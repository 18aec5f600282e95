package io.millrace.engine.trigger;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.millrace.base.persistence.Tx;
import io.millrace.piece.store.StoreService;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;

/**
 * Serves {@link DueTriggers}. The started runs, the stored values of the trigger, the fired times and the next time commit
 * together, so a crash at any point neither loses an item nor accepts one twice.
 */
public final class DueTriggerService implements BusService {
    private final Database database;
    private final StoreService values;
    private final RunIntake runs;
    private final String nodeId;
    private final InstantSource clock;
    private final TriggerSourceStore store = new TriggerSourceStore();
    private final TriggerCountStore tallies = new TriggerCountStore();

    public DueTriggerService(
            Database database, StoreService values, RunIntake runs, String nodeId, InstantSource clock) {
        this.database = database;
        this.values = values;
        this.runs = runs;
        this.nodeId = nodeId;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(DueTriggers.Claim.class, this::claim);
        bus.serve(DueTriggers.FindEarliest.class, _ -> database.read(store::earliestDue));
        bus.serve(
                DueTriggers.FindWaiting.class,
                find -> database.read(tx -> store.waiting(tx, clock.instant(), find.afterId(), find.limit())));
        bus.serve(DueTriggers.BringNearer.class, this::bringNearer);
        bus.serve(DueTriggers.FindStanding.class, find -> database.read(tx -> store.standing(tx, find.source())));
        bus.serve(
                DueTriggers.ReleaseClaim.class,
                release -> database.read(tx -> store.release(tx, release.source(), release.nextDue()))
                        .map(Nothing.DONE));
        bus.serve(DueTriggers.Fire.class, this::fire);
        bus.serve(
                DueTriggers.AddCounts.class,
                add -> database.read(tx -> tallies.add(tx, add.counts())).map(Nothing.DONE));
        bus.serve(
                DueTriggers.Purge.class,
                purge -> database.read(tx -> ExpiryTime.now(tx, clock)
                                .map(now -> now.minus(purge.kept()))
                                .compose(before -> store.purge(tx, before).compose(_ -> tallies.purge(tx, before))))
                        .map(Nothing.DONE));
    }

    private Future<List<TriggerSource>> claim(DueTriggers.Claim claim) {
        return database.durably(
                TriggerDurableWrite.CLAIMED,
                () -> database.inTransaction(tx -> store.claimDue(tx, nodeId, clock.instant(), claim.limit())));
    }

    private Future<Nothing> bringNearer(DueTriggers.BringNearer nearer) {
        var source = nearer.source();
        return database.inTransaction(tx -> store.bringNearer(tx, source, nearer.nextDue())
                        .compose(moved -> moved && nearer.firesAgain()
                                ? store.removeFires(tx, source.flowId(), nearer.nextDue())
                                : Future.succeededFuture()))
                .map(Nothing.DONE);
    }

    private Future<Integer> fire(DueTriggers.Fire fire) {
        return database.durably(TriggerDurableWrite.FIRED, () -> database.inTransaction(tx -> fire(tx, fire)))
                .onSuccess(taken -> {
                    if (taken > 0) {
                        runs.wake();
                    }
                });
    }

    private Future<Integer> fire(Tx tx, DueTriggers.Fire fire) {
        var source = fire.source();
        return store.lock(tx, source).compose(standing -> switch (standing) {
            case READY -> take(tx, fire);
            case BUSY -> store.release(tx, source, source.nextDue()).map(0);
            case STALE -> store.release(tx, source, null).map(0);
            case LOST -> Future.succeededFuture(0);
        });
    }

    /**
     * Times that have fired before are ignored: they start no runs and their stored values are dropped. When one time of a
     * poll's plan has fired before, all items of the poll are dropped, also those of its new times: at most once, by design.
     */
    private Future<Integer> take(Tx tx, DueTriggers.Fire fire) {
        var source = fire.source();
        var plan = fire.plan();
        var moved = store.release(tx, source, plan.next());
        if (plan.fires().isEmpty()) {
            return moved.map(0);
        }
        return moved.compose(_ -> store.insertFires(tx, source.flowId(), plan.fires()))
                .compose(fresh -> fresh == plan.fires().size()
                        ? keep(tx, source, fire.changes()).compose(_ -> runs.accept(tx, fire.flow(), fire.items()))
                        : Future.succeededFuture(0));
    }

    private Future<Void> keep(Tx tx, TriggerSource source, List<StoreChange> changes) {
        var kept = Future.<Void>succeededFuture();
        for (var change : changes) {
            kept = kept.compose(_ -> values.apply(tx, source.projectId(), change.key(), change.value()));
        }
        return kept;
    }
}
