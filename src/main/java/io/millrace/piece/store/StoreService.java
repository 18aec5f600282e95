package io.millrace.piece.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Stores values of pieces, within the limits of key and value. */
public final class StoreService implements BusService {
    /** Longest key, its scope included. */
    public static final int KEY_LENGTH_MAX = 128;

    /** Longer than the delay until a step interrupted by a crash is repeated. */
    private static final Duration RECEIPTS_KEPT = Duration.ofDays(7);

    private static final int RECEIPTS_REMOVED_MAX = 20;

    private final Database database;
    private final long valueBytesMax;
    private final RowBound bound;
    private final InstantSource clock;
    private final StoreEntryStore store = new StoreEntryStore();
    private final StoreReceiptStore receipts = new StoreReceiptStore();

    /**
     * @param valueBytesMax largest value, as JSON (AP_MAX_STORE_ENTRY_VALUE_SIZE_KB)
     * @param bound entries of a project
     */
    public StoreService(Database database, long valueBytesMax, RowBound bound, InstantSource clock) {
        this.database = database;
        this.valueBytesMax = valueBytesMax;
        this.bound = bound;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(StoreEntries.Put.class, this::put);
        bus.serve(StoreEntries.Find.class, this::find);
        bus.serve(StoreEntries.Delete.class, this::delete);
        bus.serve(StoreEntries.Change.class, this::change);
    }

    private Future<StoreEntry> put(StoreEntries.Put put) {
        checkKey(put.key());
        var value = Json.text(put.value());
        checkValue(value);
        var entry = entry(put.projectId(), put.key(), put.value());
        return database.read(tx -> store.replace(tx, entry, value))
                .compose(replaced -> replaced.map(Future::succeededFuture)
                        .orElseGet(() -> database.inTransaction(tx -> store.upsert(tx, entry, value, bound))))
                .recover(failure -> goneProject(failure, put.projectId()));
    }

    /**
     * Writes a value in a transaction of another module, which saves it together with its own rows.
     *
     * @param value null removes it
     */
    public Future<Void> apply(Tx tx, String projectId, String key, JsonNode value) {
        checkKey(key);
        if (value == null) {
            return store.delete(tx, projectId, key);
        }
        var text = Json.text(value);
        checkValue(text);
        var entry = entry(projectId, key, value);
        return store.replace(tx, entry, text)
                .compose(replaced -> replaced.isPresent()
                        ? Future.succeededFuture()
                        : store.upsert(tx, entry, text, bound).mapEmpty());
    }

    private StoreEntry entry(String projectId, String key, JsonNode value) {
        var now = clock.instant();
        return new StoreEntry(Ids.next(), now, now, projectId, key, value);
    }

    private Future<Optional<StoreEntry>> find(StoreEntries.Find find) {
        checkKey(find.key());
        return database.read(tx -> store.find(tx, find.projectId(), find.key()));
    }

    private Future<Nothing> delete(StoreEntries.Delete delete) {
        checkKey(delete.key());
        return database.read(tx -> store.delete(tx, delete.projectId(), delete.key()))
                .map(Nothing.DONE);
    }

    private Future<Optional<JsonNode>> change(StoreEntries.Change change) {
        checkKey(change.key());
        return database.inTransaction(tx -> store.findForChange(tx, change.projectId(), change.key())
                        .compose(entry -> receipts.find(tx, change.projectId(), change.receipt())
                                .compose(receipt -> receipt.isPresent()
                                        ? Future.succeededFuture(receipt.get().answer())
                                        : changeNow(tx, change, entry.map(StoreEntry::value)))))
                .recover(failure -> goneProject(failure, change.projectId()));
    }

    private Future<Optional<JsonNode>> changeNow(Tx tx, StoreEntries.Change change, Optional<JsonNode> value) {
        var edited = change.edit().apply(value);
        var answer = Optional.ofNullable(edited.answer());
        var now = clock.instant();
        return apply(tx, change.projectId(), change.key(), edited.value())
                .compose(_ -> receipts.removeBefore(tx, now.minus(RECEIPTS_KEPT), RECEIPTS_REMOVED_MAX))
                .compose(_ -> receipts.insert(tx, change.projectId(), change.receipt(), answer.map(Json::text), now))
                .map(answer);
    }

    private static void checkKey(String key) {
        if (key.isEmpty() || key.length() > KEY_LENGTH_MAX || key.indexOf('\0') >= 0) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "Expected a key of 1 to " + KEY_LENGTH_MAX + " characters without NUL, found one of "
                            + key.length());
        }
    }

    private void checkValue(String value) {
        var bytes = value.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > valueBytesMax) {
            throw ApiException.of(
                    ErrorCode.BODY_TOO_LARGE,
                    "Expected a value of at most " + valueBytesMax + " bytes, found " + bytes);
        }
    }

    /** A project may be removed while one of its runs still writes. */
    private static <T> Future<T> goneProject(Throwable failure, String projectId) {
        return failure instanceof ConstraintViolation violation
                        && violation.kind() == ConstraintViolation.Kind.FOREIGN_KEY
                ? Future.failedFuture(ApiException.notFound("project", projectId))
                : Future.failedFuture(failure);
    }
}
