package io.millrace.authoring.flow;

import io.millrace.authoring.flow.FlowChanges.Applied;
import io.millrace.authoring.flow.FlowChanges.Change;
import io.millrace.authoring.flow.agent.AgentSteps;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowOperation.Publishing;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes, enables and disables flows (contract flows-and-engine 4.15, 4.16), in three steps: the flow is marked as
 * in progress, the trigger's hooks run outside any transaction, and one transaction settles flow and trigger source.
 *
 * <p>Until then the version enabled before stays enabled, so that a second publication leaves no gap in which an event would
 * be refused. A mark whose process has died is settled after a timeout, or at once by the only process.
 */
final class FlowPublishing {
    private static final Logger LOG = LoggerFactory.getLogger(FlowPublishing.class);

    private static final long FIRST_ROUND_MS = 2_000;
    private static final long SETTLE_ROUND_MS = 15_000;
    private static final Duration ALLOWANCE = Duration.ofSeconds(60);

    private final Database database;
    private final FlowStore store;
    private final VersionStore versions;
    private final CodePreparation preparation;
    private final AgentSteps agents;
    private final PublicationGate gate;
    private final VersionUpgrade upgrade;
    private final TriggerSwitch triggers;
    private final FlowPublishRules rules;
    private final InstantSource clock;
    /** The last operation on a flow; used on one event loop only. */
    private final Map<String, Future<Applied>> underWay = new HashMap<>();

    FlowPublishing(
            Database database,
            FlowStore store,
            VersionStore versions,
            CodePreparation preparation,
            AgentSteps agents,
            PublicationGate gate,
            VersionUpgrade upgrade,
            TriggerSwitch triggers,
            FlowPublishRules rules,
            InstantSource clock) {
        this.database = database;
        this.store = store;
        this.versions = versions;
        this.preparation = preparation;
        this.agents = agents;
        this.gate = gate;
        this.upgrade = upgrade;
        this.triggers = triggers;
        this.rules = rules;
        this.clock = clock;
    }

    /**
     * Work before the transaction of a publication.
     *
     * @param tested version whose tests have passed; empty where the project does not require it
     */
    private record Prepared(CodePreparation.Ready code, Optional<Flows.VersionRef> tested) {
        static final Prepared NOTHING = new Prepared(CodePreparation.Ready.NOTHING, Optional.empty());
    }

    /** Result of the first step of an operation: complete, or a trigger switch that must follow. */
    private sealed interface Begun {
        record Done(FlowStatus before, Change change) implements Begun {}

        /**
         * A trigger switch in progress.
         *
         * @param running version that is enabled until now, or null
         * @param target version that will be the published one
         * @param strict true if a failed disable hook leaves the flow unchanged
         */
        record Switching(Flow flow, FlowVersion running, FlowVersion target, FlowStatus wanted, boolean strict)
                implements Begun {}
    }

    /** Applies an operation; operations on one flow are serialized. */
    Future<Applied> apply(
            Flows.Apply apply, Publishing publishing, FlowEditor.Context context, FlowChangeListener witness) {
        return afterOthers(apply.flowId(), () -> applyNow(apply, publishing, context, witness));
    }

    private Future<Applied> afterOthers(String flowId, Supplier<Future<Applied>> work) {
        var before = underWay.getOrDefault(flowId, Future.succeededFuture());
        var done = before.transform(_ -> work.get());
        underWay.put(flowId, done);
        done.onComplete(_ -> underWay.remove(flowId, done));
        return done;
    }

    private Future<Applied> applyNow(
            Flows.Apply apply, Publishing publishing, FlowEditor.Context context, FlowChangeListener witness) {
        return prepared(apply.flowId(), publishing)
                .compose(ready -> begin(
                        apply.flowId(),
                        witness,
                        (tx, flow) -> apply.precondition()
                                .check(() -> latest(tx, flow))
                                .compose(_ -> switch (publishing) {
                                    case FlowOperation.ChangeStatus(var status) ->
                                        beginChange(tx, flow, status, context);
                                    case FlowOperation.LockAndPublish(var status) -> {
                                        var usual = rules.enableOnPublish() ? FlowStatus.ENABLED : FlowStatus.DISABLED;
                                        yield beginPublish(tx, flow, status.orElse(usual), ready, context);
                                    }
                                })))
                .compose(begun -> carryOut(begun, witness));
    }

    /**
     * Compiles the code and installs its packages outside any transaction before publication; referenced agents must
     * exist, and the tests must pass where the project requires it.
     */
    private Future<Prepared> prepared(String flowId, Publishing publishing) {
        return publishing instanceof FlowOperation.LockAndPublish
                ? preparation
                        .prepare(flowId)
                        .compose(ready -> agentsChecked(flowId)
                                .compose(_ -> gate.check(flowId))
                                .map(tested -> new Prepared(ready, tested)))
                : Future.succeededFuture(Prepared.NOTHING);
    }

    /** A missing flow has no agents; the operation fails later. */
    private Future<Void> agentsChecked(String flowId) {
        return database.read(tx -> store.findProject(tx, flowId))
                .compose(project -> project.isEmpty()
                        ? Future.succeededFuture()
                        : database.read(tx -> versions.findLatest(tx, flowId))
                                .compose(latest -> agents.check(
                                        project.get(), latest.orElseThrow().steps())));
    }

    /** Disables a flow even if its hooks fail; no effect when it is disabled or busy (16.6). */
    Future<Applied> giveUp(String flowId) {
        return afterOthers(flowId, () -> giveUpNow(flowId));
    }

    private Future<Applied> giveUpNow(String flowId) {
        return begin(
                        flowId,
                        FlowChangeListener.NOBODY,
                        (tx, flow) -> beginChange(
                                        tx,
                                        flow,
                                        FlowStatus.DISABLED,
                                        new FlowEditor.Context(clock.instant().truncatedTo(ChronoUnit.MICROS), null))
                                .map(begun -> begun instanceof Begun.Switching on
                                        ? new Begun.Switching(on.flow(), on.running(), on.target(), on.wanted(), false)
                                        : begun))
                .compose(begun -> carryOut(begun, FlowChangeListener.NOBODY));
    }

    private Future<Begun> begin(String flowId, FlowChangeListener witness, BiFunction<Tx, Flow, Future<Begun>> first) {
        return database.inTransaction(tx -> store.findForUpdate(tx, flowId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)))
                .compose(flow -> flow.operationStatus() == OperationStatus.NONE
                        ? first.apply(tx, flow).compose(begun -> witnessed(tx, begun, witness))
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.FLOW_OPERATION_IN_PROGRESS, "another operation on the flow is running"))));
    }

    /** An operation without hooks ends with the first step. */
    private static Future<Begun> witnessed(Tx tx, Begun begun, FlowChangeListener witness) {
        return begun instanceof Begun.Done(var before, var change)
                ? witness.record(tx, new Applied(before, change)).map(begun)
                : Future.succeededFuture(begun);
    }

    private Future<Begun> beginChange(Tx tx, Flow flow, FlowStatus wanted, FlowEditor.Context context) {
        if (flow.publishedVersionId() == null) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    "expected a published flow, found a flow without a published version"));
        }
        if (flow.status() == wanted) {
            return latest(tx, flow).map(version -> new Begun.Done(flow.status(), Change.of(flow, version)));
        }
        var enabling = wanted == FlowStatus.ENABLED;
        return version(tx, flow.publishedVersionId())
                .compose(published -> mark(
                        tx,
                        new Begun.Switching(
                                flow.changedAt(context.now()), enabling ? null : published, published, wanted, true)));
    }

    private Future<Begun> beginPublish(
            Tx tx, Flow flow, FlowStatus wanted, Prepared ready, FlowEditor.Context context) {
        return latest(tx, flow).compose(version -> {
            preparation.check(version, ready.code());
            PublicationGate.checkUnchanged(version, ready.tested());
            var locked = version.state() == VersionState.LOCKED
                    ? version
                    : FlowEditor.apply(version, new FlowOperation.LockFlow(), context.after(version));
            var saved = versions.update(tx, locked);
            if (flow.status() == FlowStatus.ENABLED) {
                return saved.compose(_ -> version(tx, flow.publishedVersionId()))
                        .compose(running -> mark(
                                tx,
                                new Begun.Switching(flow.changedAt(context.now()), running, locked, wanted, false)));
            }
            var published = flow.publishing(locked.id(), FlowStatus.DISABLED, context.now());
            return saved.compose(_ -> store.update(tx, published))
                    .compose(_ -> wanted == FlowStatus.ENABLED
                            ? mark(tx, new Begun.Switching(published, null, locked, wanted, false))
                            : Future.succeededFuture(
                                    new Begun.Done(FlowStatus.DISABLED, Change.of(published, locked))));
        });
    }

    private Future<Begun> mark(Tx tx, Begun.Switching switching) {
        var status = switching.wanted() == FlowStatus.ENABLED ? OperationStatus.ENABLING : OperationStatus.DISABLING;
        var longest = rules.hooksTimeout().multipliedBy(2).plus(ALLOWANCE);
        return store.begin(tx, switching.flow().id(), status, longest).map(switching);
    }

    private Future<Applied> carryOut(Begun begun, FlowChangeListener witness) {
        return switch (begun) {
            case Begun.Done(var before, var change) -> Future.succeededFuture(new Applied(before, change));
            case Begun.Switching on ->
                (on.wanted() == FlowStatus.ENABLED ? enable(on, witness) : disable(on, witness))
                        .map(change -> new Applied(on.flow().status(), change));
        };
    }

    /**
     * Enables the trigger. On failure the flow remains published and disabled, and the caller gets the error (4.16).
     */
    private Future<Change> enable(Begun.Switching on, FlowChangeListener witness) {
        var republish = on.running() != null && hasSameTrigger(on.running(), on.target());
        return quietly(on, republish)
                .compose(_ -> triggers.enable(new TriggerSwitch.Turn(on.flow(), on.target(), republish)))
                .transform(armed -> armed.succeeded()
                        ? settle(on, FlowStatus.ENABLED, armed.result(), null, witness)
                        : settle(on, FlowStatus.DISABLED, null, armed.cause(), witness));
    }

    private Future<Change> disable(Begun.Switching on, FlowChangeListener witness) {
        return triggers.disable(new TriggerSwitch.Turn(on.flow(), on.running(), false))
                .transform(done -> done.failed() && on.strict()
                        ? settle(on, FlowStatus.ENABLED, tx -> Future.succeededFuture(), done.cause(), witness)
                        : settle(on, FlowStatus.DISABLED, null, null, witness));
    }

    /** Disables the previous trigger; a failure of its hook is ignored. */
    private Future<Void> quietly(Begun.Switching on, boolean republish) {
        return on.running() == null
                ? Future.succeededFuture()
                : triggers.disable(new TriggerSwitch.Turn(on.flow(), on.running(), republish))
                        .otherwiseEmpty();
    }

    /**
     * Stores flow and source together. Retried while the database is unavailable, because the hooks have had their
     * effect: an unfinished switch calls them again. A retry may find that an earlier attempt was committed.
     *
     * @param armed saves the source; null when there is to be none
     * @param refusal error for the caller nevertheless, or null
     */
    private Future<Change> settle(
            Begun.Switching on,
            FlowStatus status,
            TriggerSwitch.Armed armed,
            Throwable refusal,
            FlowChangeListener witness) {
        var flowId = on.flow().id();
        var at = now();
        var attempts = new AtomicInteger();
        return database.recordingEffect(
                        ALLOWANCE,
                        tx -> store.findForUpdate(tx, flowId)
                                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)))
                                .compose(flow -> attempts.getAndIncrement() > 0 && wasSettled(flow, at)
                                        ? latest(tx, flow).map(latest -> Change.of(flow, latest))
                                        : settled(
                                                tx, on, flow.settled(on.target().id(), status, at), armed, witness)))
                .compose(change -> refusal == null
                        ? Future.succeededFuture(change)
                        : refusal instanceof ApiException told
                                ? Future.succeededFuture(new Change(change.populated(), told))
                                : Future.failedFuture(refusal));
    }

    /** Returns whether an earlier attempt was committed. Another operation may have been marked since. */
    private static boolean wasSettled(Flow flow, Instant at) {
        return flow.operationStatus() == OperationStatus.NONE || flow.updated().equals(at);
    }

    private Future<Change> settled(
            Tx tx, Begun.Switching on, Flow settled, TriggerSwitch.Armed armed, FlowChangeListener witness) {
        return store.update(tx, settled)
                .compose(_ -> armed == null ? triggers.remove(tx, settled.id()) : armed.save(tx))
                .compose(_ -> latest(tx, settled))
                .map(latest -> Change.of(settled, latest))
                .compose(change -> witness.record(tx, new Applied(on.flow().status(), change))
                        .map(change));
    }

    private static boolean hasSameTrigger(FlowVersion one, FlowVersion other) {
        return one.steps().trigger() instanceof PieceTriggerStep first
                && other.steps().trigger() instanceof PieceTriggerStep second
                && first.pieceName().equals(second.pieceName())
                && first.triggerName().equals(second.triggerName())
                && first.input().equals(second.input());
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
                        done = done.compose(
                                _ -> underWay.containsKey(flowId) ? Future.succeededFuture() : resume(flowId));
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
                        .compose(found -> found.filter(FlowPublishing::isLeftBehind)
                                .map(flow -> version(tx, flow.publishedVersionId())
                                        .compose(published -> mark(tx, left(flow, published))))
                                .orElse(Future.succeededFuture())))
                .compose(left -> left == null ? Future.succeededFuture() : carryOut(left, FlowChangeListener.NOBODY))
                .onSuccess(_ -> LOG.info("settled the unfinished status change of flow {}", flowId))
                .mapEmpty();
    }

    /** Another process may have settled it meanwhile. */
    private static boolean isLeftBehind(Flow flow) {
        return flow.publishedVersionId() != null
                && (flow.operationStatus() == OperationStatus.ENABLING
                        || flow.operationStatus() == OperationStatus.DISABLING);
    }

    private static Begun.Switching left(Flow flow, FlowVersion published) {
        var wanted = flow.operationStatus() == OperationStatus.ENABLING ? flow.status() : FlowStatus.DISABLED;
        return new Begun.Switching(flow, published, published, wanted, false);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    private Future<FlowVersion> version(Tx tx, String versionId) {
        return versions.find(tx, versionId).map(Optional::orElseThrow);
    }

    private Future<FlowVersion> latest(Tx tx, Flow flow) {
        return versions.findLatest(tx, flow.id())
                .compose(found -> upgrade.upgraded(tx, flow.projectId(), found.orElseThrow()));
    }
}
