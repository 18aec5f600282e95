package io.millrace.authoring.flow;

import io.millrace.authoring.flow.OperationStart.Switching;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settles trigger switches whose process has died: after a timeout, or at once by the only process. */
final class SwitchRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(SwitchRecovery.class);

    private static final long FIRST_ROUND_MS = 2_000;
    private static final long SETTLE_ROUND_MS = 15_000;

    private final Database database;
    private final FlowStore store;
    private final VersionStore versions;
    private final SwitchExecution execution;
    private final Predicate<String> isUnderWay;

    /** @param isUnderWay true if this process performs an operation on the flow */
    SwitchRecovery(
            Database database,
            FlowStore store,
            VersionStore versions,
            SwitchExecution execution,
            Predicate<String> isUnderWay) {
        this.database = database;
        this.store = store;
        this.versions = versions;
        this.execution = execution;
        this.isUnderWay = isUnderWay;
    }

    /**
     * Starts the periodic recovery of switches whose process has died.
     *
     * @param alone true if no other process can have begun a switch, so that every open one is abandoned
     */
    void watch(boolean alone) {
        // Hooks need the other modules, which open after this one.
        Vertx.currentContext().owner().setTimer(FIRST_ROUND_MS, _ -> round(alone));
    }

    private void round(boolean alone) {
        database.read(tx -> store.findSwitching(tx, alone))
                .compose(flowIds -> {
                    var done = Future.<Void>succeededFuture();
                    for (var flowId : flowIds) {
                        // A switch in progress in this process is not abandoned.
                        done = done.compose(_ -> isUnderWay.test(flowId) ? Future.succeededFuture() : resume(flowId));
                    }
                    return done;
                })
                .onFailure(cause ->
                        LOG.warn("cannot settle unfinished changes of flow status, retrying: {}", cause.getMessage()))
                .onComplete(_ -> Vertx.currentContext().owner().setTimer(SETTLE_ROUND_MS, _ -> round(false)));
    }

    /** Completes an abandoned switch, or reverts it when the flow was not enabled before. */
    private Future<Void> resume(String flowId) {
        return database.inTransaction(tx -> store.findForUpdate(tx, flowId)
                        .compose(found -> found.filter(SwitchRecovery::isLeftBehind)
                                .map(flow -> versions.find(tx, flow.publishedVersionId())
                                        .map(Optional::orElseThrow)
                                        .compose(published -> abandoned(tx, flow)
                                                .compose(abandoned -> mark(tx, left(flow, published, abandoned)))))
                                .orElse(Future.succeededFuture())))
                .compose(left ->
                        left == null ? Future.succeededFuture() : execution.execute(left, FlowChangeListener.NOBODY))
                .onSuccess(_ -> LOG.info("settled the unfinished status change of flow {}", flowId))
                .mapEmpty();
    }

    private Future<Switching> mark(Tx tx, Switching left) {
        return execution.mark(tx, left).map(left);
    }

    /** Another process may have settled it meanwhile. */
    private static boolean isLeftBehind(Flow flow) {
        return flow.publishedVersionId() != null
                && (flow.operationStatus() == OperationStatus.ENABLING
                        || flow.operationStatus() == OperationStatus.DISABLING);
    }

    /** The version that a publication had begun to enable instead of the published one, or null. */
    private Future<FlowVersion> abandoned(Tx tx, Flow flow) {
        return flow.operationStatus() == OperationStatus.ENABLING
                ? store.findSwitchTarget(tx, flow.id())
                        .compose(target -> target.filter(id -> !id.equals(flow.publishedVersionId()))
                                .map(id -> versions.find(tx, id).map(version -> version.orElse(null)))
                                .orElse(Future.succeededFuture()))
                : Future.succeededFuture();
    }

    private static Switching left(Flow flow, FlowVersion published, FlowVersion abandoned) {
        var wanted = flow.operationStatus() == OperationStatus.ENABLING ? flow.status() : FlowStatus.DISABLED;
        return new Switching(flow, published, published, abandoned, wanted, false);
    }
}
