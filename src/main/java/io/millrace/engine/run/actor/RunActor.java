package io.millrace.engine.run.actor;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.RunInbox;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.StartListener;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.journal.StepConsole;
import io.millrace.engine.run.log.JsonSize;
import io.millrace.engine.run.machine.LifecycleEvent;
import io.millrace.engine.run.machine.LifecycleEvent.Defect;
import io.millrace.engine.run.machine.LifecycleEvent.Superseded;
import io.millrace.engine.run.machine.LogBudget;
import io.millrace.engine.run.machine.RunLife;
import io.millrace.engine.run.machine.RunMachine;
import io.millrace.engine.run.machine.RunMailbox;
import io.millrace.engine.run.machine.RunState;
import io.millrace.engine.run.plan.CompiledFlow;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run: an inbox, the machine, and one performer of effects. Every change of the run is an event in its
 * inbox; the performer executes the effects that the machine requests, and their results are new events.
 *
 * <p>A plain object on its shard's event loop: every method is called there, so nothing is synchronized. Transitions
 * are decided by {@link RunMachine}.
 */
public final class RunActor implements RunInbox {
    private static final Logger LOG = LoggerFactory.getLogger(RunActor.class);

    private final CompiledFlow flow;
    private final RunPerformer performer;
    private final RunMailbox mailbox;

    public RunActor(
            RunHost host, CompiledFlow flow, RunWrite.RunHeader header, JsonNode payload, StartListener waiter) {
        this(host, flow, RunSnapshot.fresh(header, payload), waiter);
    }

    /** Creates the actor of a run that was not read from rows. */
    public RunActor(RunHost host, CompiledFlow flow, RunSnapshot run, StartListener waiter) {
        this(host, flow, run, waiter, Room.of(host.storage().memory(), run));
    }

    /**
     * Memory of a run at its start.
     *
     * @param memory for all its values
     * @param noted whether the executing step is recorded, because it may crash the server
     */
    public record Room(RunMemory.Part memory, long payloadBytes, boolean noted) {
        private static Room of(RunMemory memory, RunSnapshot run) {
            var payloadBytes = JsonSize.of(run.payload());
            return new Room(memory.begin(payloadBytes), payloadBytes, false);
        }
    }

    /**
     * Creates the actor of a run that has a row, or had another owner: recorded results are reused, other steps
     * execute.
     */
    public RunActor(RunHost host, CompiledFlow flow, RunSnapshot run, StartListener waiter, Room room) {
        this.flow = flow;
        var budget = LogBudget.of(host.limits().logBytesMax());
        var row = run.status() == null ? null : run.status().live();
        var life = RunLife.made(
                budget,
                row,
                waiter.wantsAcceptance(),
                room.noted(),
                host.ownership().term().getAsLong());
        this.performer = new RunPerformer(host, this, flow, run, waiter, room, life);
        this.mailbox = new RunMailbox(flow.plan(), life, performer);
    }

    /** Adds the log of the trigger to its record; called before the first event. */
    public void logTrigger(StepConsole console) {
        performer.logTrigger(console);
    }

    String runId() {
        return performer.header().id();
    }

    public RunWrite.RunHeader header() {
        return performer.header();
    }

    public long fence() {
        return performer.fence();
    }

    public CompiledFlow flow() {
        return flow;
    }

    /** Another actor continues the run; returns the waiting caller. */
    StartListener supersede(RunSnapshot next) {
        LOG.debug("run {} is continued by another actor", runId());
        accept(new Superseded());
        return performer.handedOver(next);
    }

    /** Current progress of the run; empty while it is queued, and once its end is being written. */
    Optional<RunView.CurrentLog> view() {
        var life = mailbox.life();
        return life.walk() instanceof RunState.Running running && !life.isOver()
                ? performer.seen(running.at(), life.stepsCount())
                : Optional.empty();
    }

    /** Repeats the notices after a record, and the status of the run, for a subscriber. */
    public void tellAgain(long after) {
        if (!mailbox.life().isOver()) {
            performer.tellAgain(RunStatus.of(mailbox.life().seen()), after);
        }
    }

    /** May be called at any time on the shard's loop. */
    @Override
    public void accept(LifecycleEvent event) {
        if (event instanceof Defect(var cause)) {
            performer.struck(cause);
        }
        mailbox.accept(event);
    }
}
