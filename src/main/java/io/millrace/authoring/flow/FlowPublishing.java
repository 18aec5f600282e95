package io.millrace.authoring.flow;

import io.millrace.authoring.flow.FlowChanges.Change;
import io.millrace.authoring.flow.FlowChanges.ChangeResult;
import io.millrace.authoring.flow.agent.AgentSteps;
import io.millrace.authoring.flow.editor.FlowEditor;
import io.millrace.authoring.flow.editor.FlowOperation;
import io.millrace.authoring.flow.editor.FlowOperation.Publishing;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Publishes, enables and disables flows (contract flows-and-engine 4.15, 4.16), in three steps: the flow is marked as
 * in progress, the trigger's hooks run outside any transaction, and one transaction settles flow and trigger source. The
 * last two are those of {@link SwitchExecution}.
 *
 * <p>Until then the version enabled before stays enabled, so that a second publication leaves no gap in which an event would
 * be refused. {@link SwitchRecovery} settles a mark whose process has died.
 */
final class FlowPublishing {
    private final Database database;
    private final FlowStore store;
    private final VersionStore versions;
    private final CodePreparation preparation;
    private final AgentSteps agents;
    private final PublicationGate gate;
    private final VersionUpgrade upgrade;
    private final FlowPublishRules rules;
    private final InstantSource clock;
    private final SwitchExecution switches;
    private final SwitchRecovery recovery;

    /** The last operation on a flow; used on one event loop only. */
    private final Map<String, Future<ChangeResult>> underWay = new HashMap<>();

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
        this.rules = rules;
        this.clock = clock;
        this.switches = new SwitchExecution(database, store, upgrade, triggers, rules, clock);
        this.recovery = new SwitchRecovery(database, store, versions, switches, underWay::containsKey);
    }

    /**
     * Work before the transaction of a publication.
     *
     * @param tested version whose tests have passed; empty where the project does not require it
     */
    private record Preparation(CodePreparation.Ready code, Optional<Flows.VersionRef> tested) {
        static final Preparation NOTHING = new Preparation(CodePreparation.Ready.NOTHING, Optional.empty());
    }

    /** Applies an operation; operations on one flow are serialized. */
    Future<ChangeResult> apply(
            Flows.Apply apply, Publishing publishing, FlowEditor.Context context, FlowChangeListener witness) {
        return afterOthers(apply.flowId(), () -> applyNow(apply, publishing, context, witness));
    }

    private Future<ChangeResult> afterOthers(String flowId, Supplier<Future<ChangeResult>> work) {
        var before = underWay.getOrDefault(flowId, Future.succeededFuture());
        var done = before.transform(_ -> work.get());
        underWay.put(flowId, done);
        done.onComplete(_ -> underWay.remove(flowId, done));
        return done;
    }

    private Future<ChangeResult> applyNow(
            Flows.Apply apply, Publishing publishing, FlowEditor.Context context, FlowChangeListener witness) {
        return prepared(apply.flowId(), publishing)
                .compose(ready -> begin(
                        apply.flowId(),
                        witness,
                        (tx, flow) -> apply.precondition()
                                .check(() -> upgrade.latest(tx, flow))
                                .compose(_ -> switch (publishing) {
                                    case FlowOperation.ChangeStatus(var status) ->
                                        beginChange(tx, flow, status, context);
                                    case FlowOperation.LockAndPublish(var status) -> {
                                        var usual = rules.enableOnPublish() ? FlowStatus.ENABLED : FlowStatus.DISABLED;
                                        yield beginPublish(tx, flow, status.orElse(usual), ready, context);
                                    }
                                })))
                .compose(begun -> finish(begun, witness));
    }

    /**
     * Compiles the code and installs its packages outside any transaction before publication; referenced agents must
     * exist, and the tests must pass where the project requires it.
     */
    private Future<Preparation> prepared(String flowId, Publishing publishing) {
        return publishing instanceof FlowOperation.LockAndPublish
                ? preparation
                        .prepare(flowId)
                        .compose(ready -> agentsChecked(flowId)
                                .compose(_ -> gate.check(flowId))
                                .map(tested -> new Preparation(ready, tested)))
                : Future.succeededFuture(Preparation.NOTHING);
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
    Future<ChangeResult> giveUp(String flowId) {
        return afterOthers(flowId, () -> giveUpNow(flowId));
    }

    private Future<ChangeResult> giveUpNow(String flowId) {
        return begin(
                        flowId,
                        FlowChangeListener.NOBODY,
                        (tx, flow) -> beginChange(
                                        tx,
                                        flow,
                                        FlowStatus.DISABLED,
                                        new FlowEditor.Context(clock.instant().truncatedTo(ChronoUnit.MICROS), null))
                                .map(begun -> begun instanceof OperationStart.Switching on
                                        ? new OperationStart.Switching(
                                                on.flow(), on.running(), on.target(), on.wanted(), false)
                                        : begun))
                .compose(begun -> finish(begun, FlowChangeListener.NOBODY));
    }

    private Future<OperationStart> begin(
            String flowId, FlowChangeListener witness, BiFunction<Tx, Flow, Future<OperationStart>> first) {
        return database.inTransaction(tx -> store.findForUpdate(tx, flowId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)))
                .compose(flow -> flow.operationStatus() == OperationStatus.NONE
                        ? first.apply(tx, flow).compose(begun -> witnessed(tx, begun, witness))
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.FLOW_OPERATION_IN_PROGRESS, "another operation on the flow is running"))));
    }

    /** An operation without hooks ends with the first step. */
    private static Future<OperationStart> witnessed(Tx tx, OperationStart begun, FlowChangeListener witness) {
        return begun instanceof OperationStart.Done(var before, var change)
                ? witness.record(tx, new ChangeResult(before, change)).map(begun)
                : Future.succeededFuture(begun);
    }

    private Future<OperationStart> beginChange(Tx tx, Flow flow, FlowStatus wanted, FlowEditor.Context context) {
        if (flow.publishedVersionId() == null) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.FLOW_OPERATION_INVALID,
                    "expected a published flow, found a flow without a published version"));
        }
        if (flow.status() == wanted) {
            return upgrade.latest(tx, flow)
                    .map(version -> new OperationStart.Done(flow.status(), Change.of(flow, version)));
        }
        var enabling = wanted == FlowStatus.ENABLED;
        return version(tx, flow.publishedVersionId())
                .compose(published -> mark(
                        tx,
                        new OperationStart.Switching(
                                flow.changedAt(context.now()), enabling ? null : published, published, wanted, true)));
    }

    private Future<OperationStart> beginPublish(
            Tx tx, Flow flow, FlowStatus wanted, Preparation ready, FlowEditor.Context context) {
        return upgrade.latest(tx, flow).compose(version -> {
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
                                new OperationStart.Switching(
                                        flow.changedAt(context.now()), running, locked, wanted, false)));
            }
            var published = flow.publishing(locked.id(), FlowStatus.DISABLED, context.now());
            return saved.compose(_ -> store.update(tx, published))
                    .compose(_ -> wanted == FlowStatus.ENABLED
                            ? mark(tx, new OperationStart.Switching(published, null, locked, wanted, false))
                            : Future.succeededFuture(
                                    new OperationStart.Done(FlowStatus.DISABLED, Change.of(published, locked))));
        });
    }

    private Future<OperationStart> mark(Tx tx, OperationStart.Switching switching) {
        return switches.mark(tx, switching).map(switching);
    }

    private Future<ChangeResult> finish(OperationStart begun, FlowChangeListener witness) {
        return switch (begun) {
            case OperationStart.Done(var before, var change) ->
                Future.succeededFuture(new ChangeResult(before, change));
            case OperationStart.Switching on -> switches.execute(on, witness);
        };
    }

    /**
     * Starts the periodic recovery of switches whose process has died.
     *
     * @param alone true if no other process can have begun a switch, so that every open one is abandoned
     */
    void watch(boolean alone) {
        recovery.watch(alone);
    }

    private Future<FlowVersion> version(Tx tx, String versionId) {
        return versions.find(tx, versionId).map(Optional::orElseThrow);
    }
}
