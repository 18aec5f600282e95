package io.millrace.engine.run.recovery;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunRelease;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.actor.RunActor;
import io.millrace.engine.run.actor.RunHost;
import io.millrace.engine.run.actor.RunRegistry;
import io.millrace.engine.run.ending.RunExit;
import io.millrace.engine.run.ending.RunPrepared;
import io.millrace.engine.run.ending.RunRetry;
import io.millrace.engine.run.ending.RunTriggered;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.millrace.engine.run.machine.LifecycleEvent.Prepared;
import io.millrace.engine.run.machine.RowEvent;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledFlows;
import io.millrace.engine.run.plan.StepTests;
import io.millrace.engine.run.recovery.TakeoverQueue.Entry;
import io.millrace.engine.run.start.TriggerRunner;
import io.millrace.engine.run.start.TriggerRunner.FirstItem;
import io.millrace.piece.PieceLog;
import io.vertx.core.Future;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Continues runs that a shard takes over: their owner died, or they were paused, or are retried. They wait in
 * {@link TakeoverReader} for memory, and are known here until they have an actor, which may take minutes.
 */
public final class RunTakeover {
    private static final Logger LOG = LoggerFactory.getLogger(RunTakeover.class);
    private static final long AGAIN_MS = 5_000;

    private final Bus bus;
    private final RunHost host;
    private final CompiledFlows flows;
    private final StepTests stepTests;
    private final TriggerRunner triggers;
    private final RunRegistry registry;
    private final RunExit leaving;
    private final Function<String, StartListener> parked;
    private final TakeoverLimits limits;
    private final TakeoverQueue queue;
    private final TakeoverReader reader;
    private final CrashSuspectGate suspect;

    /**
     * @param reading parses the values of stored runs
     * @param parked returns the local caller of a paused run
     */
    public RunTakeover(
            Bus bus,
            RunHost host,
            RunReader reading,
            CompiledFlows flows,
            StepTests stepTests,
            TriggerRunner triggers,
            RunRegistry registry,
            RunExit leaving,
            TakeoverLimits limits,
            Function<String, StartListener> parked) {
        this.bus = bus;
        this.host = host;
        this.flows = flows;
        this.stepTests = stepTests;
        this.triggers = triggers;
        this.registry = registry;
        this.leaving = leaving;
        this.limits = limits;
        this.parked = parked;
        this.queue = new TakeoverQueue(limits);
        this.suspect = new CrashSuspectGate(
                host.clock(),
                limits,
                run -> bus.ask(
                        new RunTakeovers.Acquit(new RunRelease(run.runId(), run.fence()), limits.suspectedFrom()),
                        RunWrite.DEADLINE_MS));
        this.reader = new TakeoverReader(
                bus,
                host.clock(),
                reading,
                host.storage().memory(),
                registry,
                limits,
                queue,
                this::take,
                suspect::progressed);
    }

    record LoadedRun(Entry entry, RunSnapshot run, long payloadBytes, RunMemory.Part memory) {}

    public boolean has(String runId) {
        return queue.has(runId);
    }

    /**
     * Continues the run as soon as there is capacity; runs that arrive while the server stops are left to the next
     * owner.
     */
    public void adopt(OwnedRun run, StartListener waiter) {
        if (registry.isClosing()) {
            return;
        }
        var entry = queue.add(run, waiter);
        if (entry == null) {
            waiter.lost(run.runId(), null);
            return;
        }
        if (limits.isSuspect(run)) {
            suspect.takeUp(run, () -> granted(entry));
            return;
        }
        if (run.crashes() > 0) {
            suspect.startBeforeSuspects(run.runId());
        }
        reader.read(entry);
    }

    /** A run has recorded a result, or has left: if it is the suspect, the next one may be taken up. */
    public void progressed(String runId) {
        suspect.progressed(runId);
    }

    private void granted(Entry entry) {
        var run = entry.run();
        if (!queue.isCurrent(entry) || registry.isClosing()) {
            suspect.progressed(run.runId());
        } else if (limits.isToBeSetAside(run)) {
            leaving.setAside(run, limits.isPastHelp(run)).onComplete((_, failure) -> {
                queue.remove(entry);
                reportSetAside(entry, failure);
                suspect.progressed(run.runId());
            });
        } else {
            reader.read(entry);
        }
    }

    /** A run that could not be set aside was released and has not ended: its next owner reports its end. */
    static void reportSetAside(Entry entry, Throwable failure) {
        if (failure == null) {
            entry.waiter().ended(entry.runId(), RunStatus.INTERNAL_ERROR);
        } else {
            entry.waiter().lost(entry.runId(), null);
        }
    }

    private void take(LoadedRun taken) {
        var header = taken.run().header();
        var replay = taken.run().recorded().replay();
        flows.of(header.flow().flowVersionId(), replay == null ? null : replay.versionUpdated(), header.projectId())
                .compose(flow -> stepTests.asSeenBy(header, flow))
                .onSuccess(flow -> carryOn(flow, taken))
                .onFailure(cause -> giveUp(taken, cause));
    }

    /**
     * An actor of an earlier ownership may still wait for a step here: its writes are void, so it stops. Or it waits
     * for the acknowledgement of its pause, and the signal to resume was faster: then its caller waits on. It may also
     * have received it while the flow was being compiled, and have left its caller.
     */
    private void carryOn(CompiledFlow flow, LoadedRun taken) {
        var left = taken.run();
        var waiter = taken.entry().waiter();
        var earlier = registry.find(left.header().id());
        if (!queue.isCurrent(taken.entry()) || registry.isClosing()) {
            drop(taken);
        } else if (earlier == null) {
            go(flow, taken, waiter.and(parked.apply(left.header().id())));
        } else if (earlier.fence() < left.fence()) {
            var before = registry.supersede(earlier, left);
            go(flow, taken, before.wantsAnswer() ? before.and(waiter) : waiter);
        } else {
            drop(taken);
        }
    }

    private void drop(LoadedRun taken) {
        taken.memory().free();
        queue.remove(taken.entry());
        suspect.progressed(taken.entry().runId());
        reader.roomAgain();
    }

    private void go(CompiledFlow flow, LoadedRun taken, StartListener waiter) {
        if (taken.run().flags().executeTrigger()) {
            triggers.firstItem(
                            flow,
                            taken.run().header().environment(),
                            taken.run().payload())
                    .onSuccess(item -> go(flow, taken, waiter, item))
                    .onFailure(cause -> giveUp(taken, cause));
        } else {
            begin(flow, taken, taken.run(), waiter, new PieceLog());
        }
    }

    private void begin(CompiledFlow flow, LoadedRun taken, RunSnapshot run, StartListener waiter, PieceLog log) {
        var actor = actor(flow, taken, run, waiter);
        actor.logTrigger(StepConsole.of(log));
        if (run.flags().unprepared()) {
            registry.add(actor);
            triggers.prepare(actor, run.payload(), () -> keepPrepared(run));
        } else {
            begin(actor, new Prepared());
        }
    }

    private Future<Void> keepPrepared(RunSnapshot run) {
        return bus.ask(RunRetry.PREPARED, new RunPrepared(run.header().id(), run.fence()), RunWrite.DEADLINE_MS);
    }

    /** From here on the registry owns the run. */
    private RunActor actor(CompiledFlow flow, LoadedRun taken, RunSnapshot run, StartListener waiter) {
        var actor = new RunActor(
                host,
                flow,
                run,
                waiter,
                new RunActor.Room(
                        taken.memory(),
                        taken.payloadBytes(),
                        limits.isSuspect(taken.entry().run())));
        queue.remove(taken.entry());
        reader.roomAgain();
        return actor;
    }

    private void begin(RunActor run, LifecycleEvent event) {
        registry.add(run);
        run.accept(event);
    }

    /** The output of the trigger is stored before it is used; a failure needs no storage. */
    private void go(CompiledFlow flow, LoadedRun taken, StartListener waiter, FirstItem item) {
        var left = taken.run();
        if (!queue.isCurrent(taken.entry()) || registry.isClosing()) {
            drop(taken);
            return;
        }
        if (item.hasFailed()) {
            var failed = actor(flow, taken, left, waiter);
            item.logIn(failed);
            begin(failed, item.event());
            return;
        }
        host.storage()
                .writer()
                .serialise(item.payload(), JsonSize.of(item.payload()))
                .compose(payload -> bus.ask(
                        RunRetry.TRIGGERED,
                        new RunTriggered(left.header().id(), left.fence(), payload),
                        RunWrite.DEADLINE_MS))
                .onSuccess(isOurs -> {
                    if (isOurs) {
                        begin(flow, taken, left.triggered(item.payload()), waiter, item.log());
                    } else {
                        drop(taken);
                    }
                })
                .onFailure(_ -> {
                    drop(taken);
                    leaving.giveAway(new RunRelease(left.header().id(), left.fence()));
                });
    }

    /**
     * A run whose flow version was deleted has failed; when the version cannot be read just now, the run is retried.
     */
    private void giveUp(LoadedRun taken, Throwable cause) {
        var header = taken.run().header();
        LOG.error("cannot resume run {}: {}", header.id(), cause.getMessage());
        if (cause instanceof ApiException refused && refused.code() == ErrorCode.ENTITY_NOT_FOUND) {
            drop(taken);
            leaving.end(header, taken.run().fence(), RowEvent.Closing.FLOW_GONE);
            taken.entry().waiter().ended(header.id(), RunStatus.FAILED);
            progressed(header.id());
        } else {
            taken.memory().free();
            reader.roomAgain();
            host.clock().setTimer(AGAIN_MS, () -> reader.read(taken.entry()));
        }
    }
}
