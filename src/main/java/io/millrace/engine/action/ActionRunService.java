package io.millrace.engine.action;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.SecretBox;
import io.millrace.base.secret.UnreadableSecretException;
import io.millrace.engine.run.RunStatus;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class ActionRunService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(ActionRunService.class);
    private static final String ENTITY = "action_run";

    /** Interval of reads while a caller waits: a notice of another node may be lost. */
    private static final long READ_MS = 2_000;

    private static final int DROPPED_AT_ONCE = 2_000;

    private final Parts parts;
    private final ActionRunStore store = new ActionRunStore();
    private final Map<String, Promise<Void>> waiting = new HashMap<>();
    private Bus bus;
    private ActionRequestCheck check;

    /**
     * Dependencies and limits.
     *
     * @param timeoutMax longest time of an action (AP_FLOW_TIMEOUT_SECONDS)
     * @param waitingMax unfinished runs of a project (AP_ACTION_RUNS_WAITING_MAX)
     * @param retentionDays retention of ended runs in days (AP_EXECUTION_DATA_RETENTION_DAYS)
     */
    public record Parts(
            Vertx vertx,
            Database database,
            SecretBox box,
            String nodeId,
            Duration timeoutMax,
            int waitingMax,
            int retentionDays,
            InstantSource clock) {}

    public ActionRunService(Parts parts) {
        this.parts = parts;
    }

    @Override
    public void open(Bus openedOn) {
        bus = openedOn;
        check = new ActionRequestCheck(bus);
        bus.serve(ActionRuns.Start.class, this::start);
        bus.serve(ActionRuns.Await.class, this::await);
        bus.serve(ActionRuns.Get.class, ask -> get(ask.id()));
        bus.serve(
                ActionRuns.ProjectOf.class,
                ask -> get(ask.id()).map(found -> found.run().projectId()));
        bus.serve(ActionRuns.Find.class, ask -> parts.database().read(tx -> store.page(tx, ask)));
        bus.serve(ActionRuns.Claim.class, this::claim);
        bus.serve(ActionRuns.Finish.class, this::finish);
        bus.serve(
                ActionRuns.DropExpired.class,
                _ -> parts.database()
                        .inTransaction(tx -> ExpiryTime.now(tx, parts.clock())
                                .compose(now -> store.dropExpired(tx, now, parts.retentionDays(), DROPPED_AT_ONCE))));
        bus.on(ActionRuns.Ended.class, notice -> ended(notice.id()));
    }

    /** A repeated request is answered before its inputs are checked again: the piece may have changed since. */
    private Future<ActionRun.Details> start(ActionRuns.Start ask) {
        var fingerprint = ActionRequestCheck.fingerprint(ask);
        return parts.database()
                .read(tx -> earlier(tx, ask, fingerprint))
                .compose(earlier -> earlier.map(Future::succeededFuture)
                        .orElseGet(() -> check.checked(ask).compose(checked -> accept(ask, checked, fingerprint))));
    }

    private Future<Optional<ActionRun.Details>> earlier(Tx tx, ActionRuns.Start ask, String fingerprint) {
        return ask.key()
                .map(key -> store.findOfKey(tx, ask.projectId(), key)
                        .map(found -> found.map(row -> same(row, fingerprint))))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private static ActionRun.Details same(ActionRunStore.KeyedRow row, String fingerprint) {
        if (!row.fingerprint().equals(fingerprint)) {
            throw ApiException.of(
                    ErrorCode.IDEMPOTENCY_KEY_REUSED, "the key was used for a request with other content");
        }
        return row.whole();
    }

    private Future<ActionRun.Details> accept(
            ActionRuns.Start ask, ActionRequestCheck.ValidRequest checked, String fingerprint) {
        var id = Ids.next();
        var longest = Math.toIntExact(parts.timeoutMax().toSeconds());
        var run = new ActionRun(
                id,
                parts.clock().instant().truncatedTo(ChronoUnit.MICROS),
                ask.projectId(),
                ask.userId(),
                ask.action().pieceName(),
                checked.pieceVersion(),
                ask.action().name(),
                ask.action().connection(),
                ask.origin(),
                ask.timeoutSeconds().map(seconds -> Math.min(seconds, longest)).orElse(longest),
                ask.onCrash(),
                RunStatus.QUEUED,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        var shown = Buffer.buffer(DeepJson.bytes(checked.shownInput()));
        var sealed = Buffer.buffer(parts.box().seal(DeepJson.bytes(checked.input()), place(id)));
        var hidden = new ActionRunStore.HiddenColumns(ask.platformId(), ask.key(), fingerprint, shown, sealed);
        return parts.database()
                .inTransaction(tx -> tx.exclusive("action_run/" + ask.projectId())
                        .compose(_ -> store.insert(tx, run, hidden))
                        .compose(inserted -> inserted
                                ? checkUnfinished(tx, ask.projectId())
                                        .map(new ActionRun.Details(run, shown, Optional.empty(), Optional.empty()))
                                : earlier(tx, ask, fingerprint).map(Optional::orElseThrow)))
                .onSuccess(_ -> bus.publish(new ActionRuns.Accepted(id)));
    }

    /** Fails after the insertion of a run too many, so that a start with a known key gets its run at any time. */
    private Future<Void> checkUnfinished(Tx tx, String projectId) {
        return store.countUnfinished(tx, projectId)
                .compose(unfinished -> unfinished <= parts.waitingMax()
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.TOO_MANY_REQUESTS, "too many action runs of the project are waiting")));
    }

    private static String place(String id) {
        return "action_run:" + id;
    }

    private Future<ActionRun.Details> get(String id) {
        return parts.database()
                .read(tx -> store.find(tx, id))
                .map(found -> found.orElseThrow(() -> ApiException.notFound(ENTITY, id)));
    }

    private Future<ActionRun.Details> await(ActionRuns.Await ask) {
        return await(ask.id(), System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ask.timeoutMs()));
    }

    /** The wait begins before the read, so that no notice is missed in between. */
    private Future<ActionRun.Details> await(String id, long endNanos) {
        var end = waiting.computeIfAbsent(id, _ -> Promise.promise());
        return get(id).compose(found -> {
                    var remainingMs = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
                    if (found.run().status().isTerminal() || remainingMs <= 0) {
                        waiting.remove(id, end);
                        return Future.succeededFuture(found);
                    }
                    return end.future()
                            .timeout(Math.min(READ_MS, remainingMs), TimeUnit.MILLISECONDS)
                            .otherwiseEmpty()
                            .compose(_ -> await(id, endNanos));
                })
                .onFailure(_ -> waiting.remove(id, end));
    }

    private void ended(String id) {
        var end = waiting.remove(id);
        if (end != null) {
            end.tryComplete();
        }
    }

    private Future<List<ActionRuns.ClaimedRun>> claim(ActionRuns.Claim claim) {
        return parts.database()
                .inTransaction(tx -> store.claim(tx, parts.nodeId(), claim))
                .map(rows -> rows.stream()
                        .map(row -> new ActionRuns.ClaimedRun(row.run(), row.platformId(), inputOf(row), row.fence()))
                        .toList());
    }

    private Optional<ObjectNode> inputOf(ActionRunStore.ClaimedRow row) {
        try {
            var sealed = row.sealedInput().orElseThrow().getBytes();
            return Optional.of((ObjectNode)
                    DeepJson.trusted(parts.box().open(sealed, place(row.run().id()))));
        } catch (UnreadableSecretException unreadable) {
            LOG.error(
                    "action run {}: the input cannot be read: {}; the run ends. Expected the encryption key with which it was"
                            + " written (AP_ENCRYPTION_KEY)",
                    row.run().id(),
                    unreadable.getMessage());
            return Optional.empty();
        }
    }

    private Future<Boolean> finish(ActionRuns.Finish end) {
        var output = Optional.ofNullable(end.output()).map(value -> Buffer.buffer(DeepJson.bytes(value)));
        return parts.database().read(tx -> store.finish(tx, end, output)).onSuccess(finished -> {
            if (finished) {
                bus.publish(new ActionRuns.Ended(end.id()));
            }
        });
    }
}
