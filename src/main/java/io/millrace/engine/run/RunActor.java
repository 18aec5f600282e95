package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.machine.Budget;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.millrace.engine.run.machine.LifecycleEvent.Defect;
import io.millrace.engine.run.machine.LifecycleEvent.InboxEmpty;
import io.millrace.engine.run.machine.LifecycleEvent.LeaseDoubted;
import io.millrace.engine.run.machine.LifecycleEvent.MemoryShort;
import io.millrace.engine.run.machine.LifecycleEvent.SliceOver;
import io.millrace.engine.run.machine.LifecycleEvent.Superseded;
import io.millrace.engine.run.machine.LifecycleEvent.Urgent;
import io.millrace.engine.run.machine.LifecycleTransition.Deferred;
import io.millrace.engine.run.machine.LifecycleTransition.Ignored;
import io.millrace.engine.run.machine.LifecycleTransition.Moved;
import io.millrace.engine.run.machine.RunEvent;
import io.millrace.engine.run.machine.RunLife;
import io.millrace.engine.run.machine.RunMachine;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run: an inbox, the machine, and one performer of effects. It takes one event, asks the machine what follows, keeps
 * how the run stands then, and has the effects performed; what comes of them are new events.
 *
 * <p>A plain object on its shard's event loop: every method is called there, so nothing is synchronised. It decides
 * nothing about what follows what: that is {@link RunMachine}'s.
 */
final class RunActor implements RunInbox {
    private static final Logger LOG = LoggerFactory.getLogger(RunActor.class);

    /** Longest turn on the event loop before other runs get theirs. */
    private static final long SLICE_NANOS = 2_000_000;

    private final CompiledFlow flow;
    private final RunClock clock;
    private final LongSupplier term;
    private final RunPerformer performer;
    private final ArrayDeque<LifecycleEvent> inbox = new ArrayDeque<>();
    private RunLife life;
    private boolean draining;

    /** A run that begins. */
    RunActor(RunHost host, CompiledFlow flow, RunWrite.RunHeader header, JsonNode payload, StartListener waiter) {
        this(host, flow, RunSnapshot.fresh(header, payload), waiter);
    }

    /** A run that has not been read from its rows. */
    RunActor(RunHost host, CompiledFlow flow, RunSnapshot run, StartListener waiter) {
        this(host, flow, run, waiter, Room.of(host.memory(), run));
    }

    /**
     * What a run takes when it begins.
     *
     * @param memory for all its values
     * @param noted whether it is noted which step is at work, because it may end the server
     */
    record Room(RunMemory.Part memory, long payloadBytes, boolean noted) {
        private static Room of(RunMemory memory, RunSnapshot run) {
            var payloadBytes = JsonSize.of(run.payload());
            return new Room(memory.begin(payloadBytes), payloadBytes, false);
        }
    }

    /**
     * A run that has a row, or had another owner before: recorded steps are returned as they are, the others run.
     */
    RunActor(RunHost host, CompiledFlow flow, RunSnapshot run, StartListener waiter, Room room) {
        this.flow = flow;
        this.clock = host.clock();
        this.term = host.term();
        var budget = Budget.of(host.limits().logBytesMax());
        var row = run.status() == null ? null : run.status().live();
        this.life = RunLife.made(budget, row, waiter.wantsAcceptance(), room.noted(), term.getAsLong());
        this.performer = new RunPerformer(host, this, flow, run, waiter, room, life);
    }

    String runId() {
        return performer.header().id();
    }

    RunWrite.RunHeader header() {
        return performer.header();
    }

    /** Number that says which ownership of the run this is; a later one shuts it out. */
    long fence() {
        return performer.fence();
    }

    CompiledFlow flow() {
        return flow;
    }

    /** Another actor carries the run on; answers who waits on. */
    StartListener supersede(RunSnapshot next) {
        LOG.debug("run {} is carried on by another actor", runId());
        accept(new Superseded());
        return performer.handedOver(next);
    }

    /** Tells a watcher what was written after a record, and how the run stands. */
    void tellAgain(long after) {
        if (!life.isOver()) {
            performer.tellAgain(RunStatus.of(life.seen()), after);
        }
    }

    /** May be called at any time on the shard's loop. */
    @Override
    public void accept(LifecycleEvent event) {
        if (event instanceof Urgent) {
            takeAtOnce(event);
        } else {
            inbox.add(event);
        }
        drain();
    }

    private void takeAtOnce(LifecycleEvent event) {
        var outer = draining;
        draining = true;
        try {
            take(event);
        } catch (RuntimeException | StackOverflowError defect) {
            breakOff(defect);
        } finally {
            draining = outer;
        }
    }

    /** Works off the inbox, unless that is being done already or what was done so far is just being written. */
    private void drain() {
        if (draining || life.isSaving()) {
            return;
        }
        draining = true;
        var sliceEnd = System.nanoTime() + SLICE_NANOS;
        try {
            while (!inbox.isEmpty() && !life.isSaving()) {
                take(inbox.poll());
                if (System.nanoTime() > sliceEnd && !inbox.isEmpty() && !life.isSaving()) {
                    take(new SliceOver(inbox.peek() instanceof RunEvent.StepFailed));
                    return;
                }
            }
            if (!life.isSaving() && !life.isOver()) {
                take(new InboxEmpty());
            }
        } catch (RuntimeException | StackOverflowError defect) {
            breakOff(defect);
        } finally {
            draining = false;
        }
    }

    private void take(LifecycleEvent event) {
        lookAtLease();
        switch (RunMachine.on(flow.plan(), life, event)) {
            case Moved(var next, var effects, var first) -> {
                life = next;
                if (first != null && performer.isToYield(first)) {
                    take(new MemoryShort());
                } else {
                    performer.perform(life, effects);
                }
            }
            case Deferred _ -> inbox.addFirst(event);
            case Ignored(var reason) ->
                LOG.debug("run {} ignores {}: {}", runId(), event.getClass().getSimpleName(), reason);
        }
    }

    /**
     * Whether another node may have the run. A process that stood still for longer than its lease must not do again
     * outside what the run's next owner has done meanwhile; what it writes is refused by itself.
     */
    private void lookAtLease() {
        if (!life.isStored() || life.isOver()) {
            return;
        }
        var now = term.getAsLong();
        var facts = life.facts();
        var isKnown = facts.doubted() && facts.doubtTerm() == now;
        if (!isKnown
                && (now == LeaseEpochs.NONE || now != facts.term())
                && RunMachine.on(flow.plan(), life, new LeaseDoubted(now)) instanceof Moved(var next, var _, var _)) {
            life = next;
        }
    }

    /** A defect ends the run as an internal error; one that strikes at the end leaves the run to its next owner. */
    private void breakOff(Throwable defect) {
        LOG.error("defect in run {}", runId(), defect);
        inbox.clear();
        if (life.isOver()) {
            take(new Defect(defect));
        } else {
            inbox.add(new Defect(defect));
            clock.later(this::drain);
        }
    }
}
