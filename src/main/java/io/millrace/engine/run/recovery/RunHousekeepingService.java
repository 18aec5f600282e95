package io.millrace.engine.run.recovery;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.millrace.engine.run.retention.RunRetentionStore;
import io.millrace.engine.run.start.StartKeyStore;
import io.millrace.engine.run.store.LogDictionaryStore;
import io.millrace.engine.run.store.RunOwnerStore;
import io.millrace.engine.run.store.RunPartitionStore;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepares the partitions of the coming days, and drops expired partitions, runs, keys and nodes. A run of a day
 * without a partition is stored in the default partition.
 */
public final class RunHousekeepingService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(RunHousekeepingService.class);

    private static final int PARTITION_DAYS_AHEAD = 7;

    /** Nodes use a dictionary for a day after a request; the other days are for old runs that are dropped late. */
    private static final int DICTIONARY_DAYS = 5;

    /** Days on which servers must have run before runs are dropped: after a jump of the clock, an operator can intervene. */
    private static final int WITNESSED_DAYS = 2;

    static final int PARTITIONS_DROPPED_AT_ONCE = 7;

    private static final int KEYS_DROPPED_AT_ONCE = 10_000;

    /** Batch size of rows with their logs, whose space is freed one by one. */
    private static final int RUNS_DROPPED_AT_ONCE = 2_000;

    private final Database database;
    private final int retentionDays;
    private final InstantSource clock;
    private final RunPartitionStore partitions = new RunPartitionStore();
    private final RunOwnerStore owners = new RunOwnerStore();
    private final RunRetentionStore retentions = new RunRetentionStore();
    private final StartKeyStore keys = new StartKeyStore();
    private final LogDictionaryStore dictionaries = new LogDictionaryStore();
    private boolean refused;

    /** @param retentionDays retention of ended runs in days (AP_EXECUTION_DATA_RETENTION_DAYS) */
    public RunHousekeepingService(Database database, int retentionDays, InstantSource clock) {
        this.database = database;
        this.retentionDays = retentionDays;
        this.clock = clock;
    }

    /** One round; returns whether all parts succeeded. */
    record Round() implements BusRequest<Boolean> {}

    /** Prepares the partitions of today and the coming days only; returns whether they exist. */
    record Prepare() implements BusRequest<Boolean> {}

    @Override
    public void open(Bus bus) {
        bus.serve(Round.class, _ -> round());
        bus.serve(Prepare.class, _ -> prepare());
    }

    private Future<Boolean> prepare() {
        refused = false;
        return tried("cannot create partitions, retrying", attachMissing(today()))
                .map(_ -> !refused);
    }

    private Instant today() {
        return clock.instant().truncatedTo(ChronoUnit.DAYS);
    }

    /** Always succeeds. A failure of one part does not stop the next. */
    private Future<Boolean> round() {
        refused = false;
        return tried("cannot create partitions, retrying", attachMissing(today()))
                .compose(_ -> tried(
                        "cannot drop expired data of runs, retrying",
                        database.read(tx -> ExpiryTime.now(tx, clock)).compose(this::drop)))
                .compose(_ -> tried("cannot delete ended nodes, retrying", database.read(owners::forgetNodes)))
                .map(_ -> !refused);
    }

    private Future<Void> drop(Instant now) {
        var today = now.truncatedTo(ChronoUnit.DAYS);
        var kept = today.minus(retentionDays, ChronoUnit.DAYS);
        return database.read(tx -> partitions.hasDaysBefore(tx, today, WITNESSED_DAYS))
                .compose(isWitnessed -> isWitnessed ? dropExpired(now, kept) : postponed(today, kept));
    }

    private Future<Void> postponed(Instant today, Instant kept) {
        return database.read(tx -> partitions.hasBefore(tx, kept)).map(hasExpired -> {
            if (hasExpired) {
                LOG.warn(
                        "no expired run is dropped for {} days: no server has prepared the days before {}; check the clocks of"
                                + " this machine and of the database",
                        WITNESSED_DAYS,
                        today);
            }
            return null;
        });
    }

    private Future<Void> dropExpired(Instant now, Instant kept) {
        return tried("cannot drop expired runs, retrying", dropBefore(kept))
                .compose(_ -> tried(
                        "cannot drop expired runs of projects with their own retention, retrying", dropOverdue(now)))
                .compose(_ -> tried("cannot delete expired start keys, retrying", dropExpiredKeys(now)))
                .compose(_ -> tried("cannot delete unused dictionaries, retrying", dropDictionaries(kept)));
    }

    private Future<Void> attachMissing(Instant today) {
        return database.read(tx -> partitions.missing(tx, today, PARTITION_DAYS_AHEAD))
                .compose(days -> each(
                        days,
                        day -> tried(
                                "cannot create the partition of " + day + ", retrying",
                                database.inTransaction(tx -> partitions.attach(tx, day))
                                        .recover(failure -> Database.isThereAlready(failure)
                                                ? Future.succeededFuture()
                                                : Future.failedFuture(failure)))));
    }

    /** The first refused lock ends this round: commits wait behind a waiting lock. */
    private Future<Void> dropBefore(Instant day) {
        return database.read(tx -> partitions
                        .deleteOthersBefore(tx, day)
                        .compose(_ -> partitions.before(tx, day, PARTITIONS_DROPPED_AT_ONCE)))
                .compose(names -> each(names, name -> database.inTransaction(tx -> partitions.drop(tx, name))));
    }

    /** Drops runs whose project or flow has a shorter retention than the server. */
    private Future<Void> dropOverdue(Instant now) {
        return database.read(tx -> retentions.dropOverdue(tx, now, RUNS_DROPPED_AT_ONCE))
                .compose(dropped -> dropped == RUNS_DROPPED_AT_ONCE
                        ? dropOverdue(now)
                        : database.read(tx -> retentions.dropFiles(tx, now)));
    }

    private Future<Void> dropDictionaries(Instant kept) {
        return database.read(tx -> dictionaries.deleteUnused(tx, kept.minus(DICTIONARY_DAYS, ChronoUnit.DAYS)));
    }

    private Future<Void> tried(String otherwise, Future<Void> work) {
        return work.recover(failure -> {
            refused = true;
            LOG.warn("{}: {}", otherwise, failure.getMessage());
            return Future.succeededFuture();
        });
    }

    private static <T> Future<Void> each(List<T> items, Function<T, Future<Void>> work) {
        var done = Future.<Void>succeededFuture();
        for (var item : items) {
            done = done.compose(_ -> work.apply(item));
        }
        return done;
    }

    /** Deletes in small batches, so that starts of runs are not delayed. */
    private Future<Void> dropExpiredKeys(Instant now) {
        return database.read(tx -> keys.dropExpired(tx, now, KEYS_DROPPED_AT_ONCE))
                .compose(dropped -> dropped == KEYS_DROPPED_AT_ONCE ? dropExpiredKeys(now) : Future.succeededFuture());
    }
}
