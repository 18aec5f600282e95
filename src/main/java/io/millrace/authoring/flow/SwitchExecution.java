package io.millrace.authoring.flow;

import io.millrace.authoring.flow.FlowChanges.Change;
import io.millrace.authoring.flow.FlowChanges.ChangeResult;
import io.millrace.authoring.flow.OperationStart.Switching;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Executes a trigger switch: marks the flow, runs the hooks outside any transaction, and settles flow and trigger source in
 * one.
 */
final class SwitchExecution {
    private static final Duration ALLOWANCE = Duration.ofSeconds(60);

    private final Database database;
    private final FlowStore store;
    private final VersionUpgrade upgrade;
    private final TriggerSwitch triggers;
    private final FlowPublishRules rules;
    private final InstantSource clock;

    SwitchExecution(
            Database database,
            FlowStore store,
            VersionUpgrade upgrade,
            TriggerSwitch triggers,
            FlowPublishRules rules,
            InstantSource clock) {
        this.database = database;
        this.store = store;
        this.upgrade = upgrade;
        this.triggers = triggers;
        this.rules = rules;
        this.clock = clock;
    }

    /** Marks the flow as in progress, with the version that an interruption may leave enabled. */
    Future<Void> mark(Tx tx, Switching switching) {
        var status = switching.wanted() == FlowStatus.ENABLED ? OperationStatus.ENABLING : OperationStatus.DISABLING;
        var longest = rules.hooksTimeout().multipliedBy(2).plus(ALLOWANCE);
        return store.begin(
                tx, switching.flow().id(), status, switching.mayBeEnabled().id(), longest);
    }

    Future<ChangeResult> execute(Switching on, FlowChangeListener witness) {
        return (on.wanted() == FlowStatus.ENABLED ? enable(on, witness) : disable(on, witness))
                .map(change -> new ChangeResult(on.flow().status(), change));
    }

    /**
     * Enables the trigger. On failure the flow remains published and disabled, and the caller gets the error (4.16).
     */
    private Future<Change> enable(Switching on, FlowChangeListener witness) {
        var republish = on.running() != null && hasSameTrigger(on.running(), on.target());
        return abandoned(on)
                .compose(_ -> quietly(on, republish))
                .compose(_ -> triggers.enable(new TriggerSwitch.Turn(on.flow(), on.target(), republish)))
                .transform(armed -> armed.succeeded()
                        ? settle(on, FlowStatus.ENABLED, armed.result(), null, witness)
                        : settle(on, FlowStatus.DISABLED, null, armed.cause(), witness));
    }

    private Future<Change> disable(Switching on, FlowChangeListener witness) {
        return triggers.disable(new TriggerSwitch.Turn(on.flow(), on.running(), false))
                .transform(done -> done.failed() && on.strict()
                        ? settle(on, FlowStatus.ENABLED, tx -> Future.succeededFuture(), done.cause(), witness)
                        : settle(on, FlowStatus.DISABLED, null, null, witness));
    }

    /**
     * Disables the trigger that an interrupted switch may have enabled; a failure of its hook is ignored. The same trigger in
     * another version is the previous one, which is disabled next.
     */
    private Future<Void> abandoned(Switching on) {
        return on.abandoned() == null || hasSameTrigger(on.abandoned(), on.target())
                ? Future.succeededFuture()
                : triggers.disable(new TriggerSwitch.Turn(on.flow(), on.abandoned(), false))
                        .otherwiseEmpty();
    }

    /** Disables the previous trigger; a failure of its hook is ignored. */
    private Future<Void> quietly(Switching on, boolean republish) {
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
            Switching on,
            FlowStatus status,
            TriggerSwitch.ActiveTrigger armed,
            Throwable refusal,
            FlowChangeListener witness) {
        var flowId = on.flow().id();
        var at = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var attempts = new AtomicInteger();
        return database.recordingEffect(
                        ALLOWANCE,
                        tx -> store.findForUpdate(tx, flowId)
                                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow", flowId)))
                                .compose(flow -> attempts.getAndIncrement() > 0 && wasSettled(flow, at)
                                        ? upgrade.latest(tx, flow).map(latest -> Change.of(flow, latest))
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
            Tx tx, Switching on, Flow settled, TriggerSwitch.ActiveTrigger armed, FlowChangeListener witness) {
        return store.update(tx, settled)
                .compose(_ -> armed == null ? triggers.remove(tx, settled.id()) : armed.save(tx))
                .compose(_ -> upgrade.latest(tx, settled))
                .map(latest -> Change.of(settled, latest))
                .compose(change -> witness.record(tx, new ChangeResult(on.flow().status(), change))
                        .map(change));
    }

    private static boolean hasSameTrigger(FlowVersion one, FlowVersion other) {
        return one.steps().trigger() instanceof PieceTriggerStep first
                && other.steps().trigger() instanceof PieceTriggerStep second
                && first.pieceName().equals(second.pieceName())
                && first.triggerName().equals(second.triggerName())
                && first.input().equals(second.input());
    }
}
