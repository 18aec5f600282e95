package io.millrace.account.sealing;

import io.millrace.account.sealing.SealedColumn.SealedCell;
import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.SecretBox;
import io.millrace.base.secret.ServerSecrets;
import io.millrace.base.secret.UnreadableSecretException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles {@link Sealing}. Rotation reseals all values in small batches without downtime: values under either key can be
 * opened, because the former key stays known.
 */
public final class SealingService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(SealingService.class);
    private static final String BEFORE_ALL = "(0,0)";

    private final Vertx vertx;
    private final Database database;
    private final SecretBox box;
    private final Optional<Path> keptIn;
    private final Cluster cluster;
    private final SecretAgreement agreement;
    private final SealedKeys keys;
    private final SealedColumnStore store = new SealedColumnStore();

    /** Confined to the service's event loop. */
    private boolean underWay;

    /** @param keptIn folder with the server's own key file; empty when the key is a setting */
    public SealingService(Vertx vertx, Database database, Cluster cluster, SecretBox box, Optional<Path> keptIn) {
        this.vertx = vertx;
        this.database = database;
        this.box = box;
        this.keptIn = keptIn;
        this.cluster = cluster;
        this.agreement = new SecretAgreement(database);
        this.keys = new SealedKeys(database);
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Sealing.Show.class, _ -> state());
        bus.serve(Sealing.Rotate.class, _ -> rotate());
        bus.onChange(Sealing.KeysChanged.class, _ -> agreement.takeUp(box));
    }

    /** Fails with the setting to correct and the affected rows when a value is sealed with an unknown key. */
    public Future<Void> check() {
        return keys.check(box::knows, "");
    }

    private Future<SealingState> state() {
        return keys.uses().map(uses -> {
            var counts = new HashMap<String, Long>();
            uses.forEach(use -> counts.merge(use.keyId(), use.count(), Long::sum));
            return new SealingState(box.keyId(), keptIn.isPresent(), counts);
        });
    }

    private Future<SealingState> rotate() {
        if (underWay) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.VALIDATION, "a rotation of the key is already running"));
        }
        underWay = true;
        return freshKey()
                .compose(_ -> resealAll())
                .onSuccess(count -> LOG.info("re-encrypted {} secrets with key {}", count, box.keyId()))
                .compose(_ -> state())
                .onComplete(_ -> underWay = false);
    }

    /** Rotates the key of a stopped server; refused while a node of the database is alive. */
    public Future<SealingState> rotateOffline() {
        return agreement
                .hasLiveNodes()
                .compose(live -> live
                        ? Future.failedFuture(
                                ApiException.of(
                                        ErrorCode.VALIDATION,
                                        "servers use this database: stop them, or rotate through one of them (POST /api/v1/encryption-key/rotate)"))
                        : rotate());
    }

    /** Makes the new key durable and known to all other nodes before its first use. */
    private Future<Void> freshKey() {
        return keptIn.map(directory -> vertx.executeBlocking(() -> ServerSecrets.replaceKeptKey(directory), false)
                        .compose(key -> announced(key).map(key))
                        .<Void>map(key -> {
                            box.use(key);
                            return null;
                        }))
                .orElseGet(Future::succeededFuture);
    }

    private Future<Void> announced(String key) {
        return cluster.isAlone()
                ? Future.succeededFuture()
                : agreement.announce(box, key).compose(_ -> cluster.settled());
    }

    /** Repeats passes until one finds no value: values may be sealed with the former key during the change. */
    private Future<Long> resealAll() {
        return database.read(store::columns)
                .compose(this::pass)
                .compose(count ->
                        count == 0 ? Future.succeededFuture(0L) : resealAll().map(more -> count + more));
    }

    private Future<Long> pass(List<SealedColumn> columns) {
        var all = Future.succeededFuture(0L);
        for (var column : columns) {
            all = all.compose(count -> resealBehind(column, BEFORE_ALL).map(more -> count + more));
        }
        return all;
    }

    private Future<Long> resealBehind(SealedColumn column, String place) {
        return database.inTransaction(tx -> store.next(tx, column, place, box.keyId())
                        .compose(found -> {
                            var resealed = resealed(column, found);
                            return store.put(tx, column, resealed).map(new Batch(found, resealed.size()));
                        }))
                .compose(batch -> batch.found().size() < SealedColumnStore.BATCH
                        ? Future.succeededFuture((long) batch.resealed())
                        : resealBehind(column, batch.found().getLast().place()).map(more -> batch.resealed() + more));
    }

    private record Batch(List<SealedCell> found, int resealed) {}

    /** Leaves unreadable values unchanged, for recovery with their key or from a backup. */
    private List<SealedCell> resealed(SealedColumn column, List<SealedCell> found) {
        var resealed = new ArrayList<SealedCell>();
        for (var value : found) {
            try {
                resealed.add(new SealedCell(
                        value.place(), Buffer.buffer(box.rewrap(value.sealed().getBytes()))));
            } catch (UnreadableSecretException unreadable) {
                LOG.warn("cannot re-encrypt a value of {}: {}", column.table(), unreadable.getMessage());
            }
        }
        return resealed;
    }
}
