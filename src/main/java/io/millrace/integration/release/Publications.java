package io.millrace.integration.release;

import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes flows after the commit of a release (decision 0042): their triggers call external services, which must not happen
 * in a transaction. Publications are recorded with the release, and repeated if their process has died.
 */
final class Publications {
    private static final Logger LOG = LoggerFactory.getLogger(Publications.class);

    private static final long FIRST_LOOK_MS = 2_000;
    private static final long LOOK_EVERY_MS = 60_000;
    private static final int REASON_MAX = 1_000;

    private final Vertx vertx;
    private final Bus bus;
    private final Database database;
    private final long publishDeadlineMs;
    private final long patienceMs;
    private final PublicationStore store = new PublicationStore();

    /**
     * Pending publication of a flow, with its status afterwards.
     *
     * @param released time of the release, which distinguishes this publication from a later one of the same flow
     */
    record Publication(String flowId, FlowStatus status, Instant released) {}

    /**
     * An applied flow that is not live.
     *
     * @param failure reason; empty while it is pending
     */
    record PendingPublication(
            String flowId, String externalId, String displayName, Instant released, Optional<String> failure) {}

    /** @param publishDeadlineMs deadline of the hooks of one trigger */
    Publications(Vertx vertx, Bus bus, Database database, long publishDeadlineMs, long patienceMs) {
        this.vertx = vertx;
        this.bus = bus;
        this.database = database;
        this.publishDeadlineMs = publishDeadlineMs;
        this.patienceMs = patienceMs;
    }

    /**
     * Starts to take over orphaned publications of other processes.
     *
     * @param alone true if no other process uses the database, so that all publications are orphaned
     */
    void watch(boolean alone) {
        // Hooks need the other modules, which start after this one.
        vertx.setTimer(FIRST_LOOK_MS, _ -> look(alone));
    }

    private void look(boolean all) {
        database.read(tx -> store.left(tx, all))
                .compose(left -> {
                    var done = Future.<Void>succeededFuture();
                    for (var each : left) {
                        var by = new Principal.SignedInUser(each.userId(), each.platformId(), PlatformRole.ADMIN);
                        done = done.compose(_ -> publish(by, each.publication()));
                    }
                    return done;
                })
                .onFailure(cause -> LOG.warn("cannot read unfinished publications, retrying: {}", cause.getMessage()))
                .onComplete(_ -> vertx.setTimer(LOOK_EVERY_MS, _ -> look(false)));
    }

    /** Removes publications of flows that are drafts in a newer definition. */
    Future<Void> forget(Tx tx, String projectId, List<String> externalIds) {
        return store.forget(tx, projectId, externalIds);
    }

    Future<Void> keep(Tx tx, Principal by, List<Publication> publications) {
        return publications.isEmpty() ? Future.succeededFuture() : store.insert(tx, by, publications);
    }

    /** Publishes flows sequentially; completes when all are done, or earlier, after the patience, when triggers are slow. */
    Future<Void> carryOut(Principal by, List<Publication> publications) {
        if (publications.isEmpty()) {
            return Future.succeededFuture();
        }
        var done = Future.<Void>succeededFuture();
        for (var publication : publications) {
            done = done.compose(_ -> publish(by, publication));
        }
        return Future.any(done, vertx.timer(patienceMs)).mapEmpty();
    }

    /** Never fails: a flow whose trigger cannot be enabled is published and disabled, and stays so. */
    private Future<Void> publish(Principal by, Publication publication) {
        var request = Json.object().put("type", "LOCK_AND_PUBLISH");
        request.putObject("request").put("status", publication.status().name());
        var operation = new FlowOperation.LockAndPublish(Optional.of(publication.status()));
        return bus.ask(new Flows.Apply(by, publication.flowId(), operation, request), publishDeadlineMs)
                .compose(_ -> database.inTransaction(tx -> store.delete(tx, publication)))
                .recover(failure -> {
                    LOG.warn("flow {} was saved but cannot be published: {}", publication.flowId(), reason(failure));
                    return isSettled(failure)
                            ? database.inTransaction(tx -> store.fail(tx, publication, reason(failure)))
                            : Future.failedFuture(failure);
                })
                .otherwiseEmpty();
    }

    /** The error of a trigger's hook is a field of its own, without a message. */
    static String reason(Throwable failure) {
        if (failure instanceof ApiException refused) {
            var ofHook = refused.params() == null
                    ? ""
                    : refused.params().path("standardError").asText("");
            return ofHook.isEmpty()
                    ? refused.text()
                    : "the trigger cannot be enabled: " + CutText.of(ofHook, REASON_MAX);
        }
        return failure.getMessage() == null ? "the flow could not be published" : failure.getMessage();
    }

    Future<List<PendingPublication>> ofProject(String projectId) {
        return database.read(tx -> store.ofProject(tx, projectId));
    }

    /** Returns true if a retry would fail in the same way. */
    private static boolean isSettled(Throwable failure) {
        return failure instanceof ApiException && !ApiException.isUnavailable(failure);
    }
}
