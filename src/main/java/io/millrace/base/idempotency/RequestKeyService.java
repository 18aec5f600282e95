package io.millrace.base.idempotency;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RequestKeys;
import io.millrace.base.http.RequestKeys.Claim;
import io.millrace.base.http.RequestKeys.ClaimResult;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.millrace.base.secret.UnreadableSecretException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@link RequestKeys} from the database, so that every node answers a repeated request (decision 0381). Answers are
 * sealed, because some show a secret once.
 *
 * <p>An attempt holds its key by a lease that is extended while it is being performed: after the end of a server, the outcome
 * of its attempts becomes unknown within {@link #LEASE}.
 */
public final class RequestKeyService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(RequestKeyService.class);

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final long EXTEND_MS = 5_000;
    private static final long TIDY_MS = 600_000;
    private static final int DROPPED_AT_ONCE = 5_000;

    /** Repeated writes of an answer or of a release while the database is unavailable. */
    private static final int WRITES_MAX = 60;

    private static final long WRITE_PAUSE_MS = 1_000;

    /** An answer may take this part of the bytes of its caller. */
    private static final int ANSWER_SHARE = 4;

    /** Divisor: the share of a caller's keys that is dropped at once when there are too many. */
    private static final int DROPPED_SHARE = 4;

    /**
     * Limits of idempotency keys.
     *
     * @param kept retention of an answer
     * @param keysMax keys that one caller has at a time
     * @param bytesMax bytes of answers that are kept for one caller
     */
    public record Limits(Duration kept, int keysMax, long bytesMax) {}

    private final Vertx vertx;
    private final Database database;
    private final SecretBox box;
    private final Limits limits;
    private final RequestKeyStore store = new RequestKeyStore();

    /** Attempts whose answer is not recorded yet. */
    private final Set<String> underWay = new HashSet<>();

    public RequestKeyService(Vertx vertx, Database database, SecretBox box, Limits limits) {
        this.vertx = vertx;
        this.database = database;
        this.box = box;
        this.limits = limits;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Claim.class, this::claim);
        bus.serve(RequestKeys.Keep.class, this::keep);
        bus.serve(RequestKeys.Forget.class, this::release);
        extendLater();
        tidy();
    }

    private Future<ClaimResult> claim(Claim claim) {
        return database.inTransaction(tx -> store.claim(tx, claim, LEASE, limits.kept)
                        .compose(free -> free
                                ? makeRoom(tx, claim.caller()).map((ClaimResult) new ClaimResult.Free())
                                : store.find(tx, claim.id())
                                        .map(found -> found.map(row -> claimed(claim, row))
                                                .orElseGet(ClaimResult.InUse::new))))
                .onSuccess(claimed -> {
                    if (claimed instanceof ClaimResult.Free) {
                        underWay.add(claim.attempt());
                    }
                });
    }

    private Future<Void> makeRoom(Tx tx, String caller) {
        return store.useOf(tx, caller)
                .compose(use -> use.keys() <= limits.keysMax && use.bytes() <= limits.bytesMax
                        ? Future.succeededFuture()
                        : store.dropOldest(tx, caller, 1 + use.keys() / DROPPED_SHARE));
    }

    private ClaimResult claimed(Claim claim, RequestKeyStore.Row row) {
        if (!row.fingerprint().equals(claim.fingerprint())) {
            return new ClaimResult.Reused();
        }
        if (row.status().isEmpty()) {
            return row.running() ? new ClaimResult.InUse() : new ClaimResult.Unknown();
        }
        int status = row.status().get();
        if (row.contentType().isEmpty()) {
            return new ClaimResult.Answered(status, null, null);
        }
        var body = row.sealedAnswer().flatMap(answer -> opened(claim.id(), answer));
        return body.isPresent()
                ? new ClaimResult.Answered(status, row.contentType().get(), body.get())
                : new ClaimResult.NotKept(status);
    }

    /** Empty when the key that sealed it no longer exists. */
    private Optional<Buffer> opened(String id, Buffer answer) {
        try {
            return Optional.of(Buffer.buffer(KeptAnswer.unpacked(box.open(answer.getBytes(), contextOf(id)))));
        } catch (UnreadableSecretException unreadable) {
            return Optional.empty();
        }
    }

    private Future<Nothing> keep(RequestKeys.Keep keep) {
        var reply = keep.reply();
        var packed = Optional.ofNullable(reply.body())
                .map(body -> KeptAnswer.packed(body.getBytes()))
                .filter(bytes -> bytes.length <= limits.bytesMax / ANSWER_SHARE);
        var answer = packed.map(bytes -> Buffer.buffer(box.seal(bytes, contextOf(keep.id()))));
        return written(
                keep.attempt(),
                () -> database.inTransaction(tx -> store.keep(
                        tx,
                        keep.id(),
                        keep.attempt(),
                        reply.status(),
                        contentTypeOf(reply),
                        answer,
                        answer.map(Buffer::length).orElse(0))));
    }

    private static String contentTypeOf(ApiReply reply) {
        return reply.body() == null ? null : reply.contentType();
    }

    private Future<Nothing> release(RequestKeys.Forget release) {
        return written(
                release.attempt(),
                () -> database.inTransaction(tx -> store.release(tx, release.id(), release.attempt())));
    }

    /** Answers after the first try, and repeats the write while the database is unavailable. */
    private Future<Nothing> written(String attempt, Supplier<Future<Void>> write) {
        underWay.add(attempt);
        var first = write.get();
        first.onComplete((_, failure) -> writtenOrRepeated(attempt, write, failure, WRITES_MAX));
        return first.map(Nothing.DONE);
    }

    private void writtenOrRepeated(String attempt, Supplier<Future<Void>> write, Throwable failure, int left) {
        if (failure != null && ApiException.isUnavailable(failure) && left > 0) {
            vertx.timer(WRITE_PAUSE_MS)
                    .compose(_ -> write.get())
                    .onComplete((_, again) -> writtenOrRepeated(attempt, write, again, left - 1));
            return;
        }
        underWay.remove(attempt);
        if (failure != null) {
            LOG.warn(
                    "cannot record the response of a request with an idempotency key; a repetition answers OUTCOME_UNKNOWN",
                    failure);
        }
    }

    private void extendLater() {
        vertx.timer(EXTEND_MS).onSuccess(_ -> extend());
    }

    private void extend() {
        var extended = underWay.isEmpty()
                ? Future.<Void>succeededFuture()
                : database.inTransaction(tx -> store.extend(tx, Set.copyOf(underWay), LEASE));
        extended.onFailure(cause -> LOG.warn("cannot extend leases of request keys, retrying: {}", cause.getMessage()))
                .onComplete(_ -> extendLater());
    }

    private void tidy() {
        database.inTransaction(tx -> store.dropExpired(tx, DROPPED_AT_ONCE))
                .onFailure(cause -> LOG.warn("cannot delete expired request keys, retrying: {}", cause.getMessage()))
                .onComplete(dropped -> vertx.timer(
                                dropped.succeeded() && dropped.result() == DROPPED_AT_ONCE ? WRITE_PAUSE_MS : TIDY_MS)
                        .onSuccess(_ -> tidy()));
    }

    private static String contextOf(String id) {
        return "request_key:" + id;
    }
}
