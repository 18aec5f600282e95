package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.LifecycleEvent.Defect;
import io.millrace.engine.run.machine.LifecycleEvent.InboxEmpty;
import io.millrace.engine.run.machine.LifecycleEvent.LeaseDoubted;
import io.millrace.engine.run.machine.LifecycleEvent.MemoryShort;
import io.millrace.engine.run.machine.LifecycleEvent.SaveBroken;
import io.millrace.engine.run.machine.LifecycleEvent.SliceOver;
import io.millrace.engine.run.machine.LifecycleEvent.Urgent;
import io.millrace.engine.run.machine.LifecycleTransition.Deferred;
import io.millrace.engine.run.machine.LifecycleTransition.Ignored;
import io.millrace.engine.run.machine.LifecycleTransition.Moved;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The events of one run, taken one at a time: calls the machine, keeps the new state, and has the effects performed.
 * Makes no decision, and uses neither event loop nor clock but through its performer, so that the simulation executes
 * the same code. Not thread-safe.
 */
public final class RunMailbox {
    /** Longest turn on the event loop before other runs get theirs. */
    private static final long SLICE_NANOS = 2_000_000;

    private final RunPlan plan;
    private final Performer performer;
    private final ArrayDeque<LifecycleEvent> inbox = new ArrayDeque<>();
    private RunLife life;
    private boolean draining;

    public interface Performer {
        /** The term of this node's lease, or {@link RunLife#NO_TERM} while it is unknown. */
        long term();

        long nanoTime();

        /**
         * Returns whether the run is to yield its memory to others before its next step, which is the one at the path.
         */
        boolean isToYield(StepPath next);

        /** @param life state of the run from now on */
        void perform(RunLife life, List<? extends LifecycleEffect> effects);

        /** Continues after other work of the event loop. */
        void later(Runnable action);

        void ignored(LifecycleEvent event, String reason);

        void struck(Throwable defect);
    }

    public RunMailbox(RunPlan plan, RunLife life, Performer performer) {
        this.plan = plan;
        this.life = life;
        this.performer = performer;
    }

    public RunLife life() {
        return life;
    }

    /** May be called at any time, also while effects are performed. */
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

    /**
     * Processes the inbox, unless that is in progress already or a write is pending. A write may be durable at once;
     * its result is in the inbox then.
     */
    private void drain() {
        if (draining || life.isSaving()) {
            return;
        }
        draining = true;
        try {
            var sliceEnd = performer.nanoTime() + SLICE_NANOS;
            do {
                while (!inbox.isEmpty() && !life.isSaving()) {
                    take(inbox.poll());
                    if (isToStop() && performer.nanoTime() > sliceEnd) {
                        take(new SliceOver(inbox.peek() instanceof RunEvent.StepFailed));
                        return;
                    }
                }
                if (!life.isSaving() && !life.isOver()) {
                    take(new InboxEmpty());
                }
            } while (!inbox.isEmpty() && !life.isSaving());
        } catch (RuntimeException | StackOverflowError defect) {
            breakOff(defect);
        } finally {
            draining = false;
        }
    }

    /** Returns whether the run may yield the event loop. */
    private boolean isToStop() {
        return !inbox.isEmpty() && !life.isSaving() && !life.isOver();
    }

    private void take(LifecycleEvent event) {
        lookAtLease();
        switch (RunLifecycle.on(plan, life, event)) {
            case Moved(var next, var effects, var first) -> {
                life = next;
                if (first != null && performer.isToYield(first)) {
                    take(new MemoryShort());
                } else {
                    perform(effects);
                }
            }
            case Deferred _ -> inbox.addFirst(event);
            case Ignored(var reason) -> performer.ignored(event, reason);
        }
    }

    /**
     * A write is the last effect of its move and catches its own defects: after any exception here, it has not begun.
     */
    private void perform(List<? extends LifecycleEffect> effects) {
        try {
            performer.perform(life, effects);
        } catch (RuntimeException | StackOverflowError defect) {
            if (!life.isSaving()) {
                throw defect;
            }
            performer.struck(defect);
            inbox.clear();
            performer.later(() -> accept(new SaveBroken(defect)));
        }
    }

    /**
     * Checks whether another node may own the run. A process that was suspended for longer than its lease must not
     * repeat external effects of the run's next owner; its writes are rejected by the fence. A run without a row has no
     * other owner, unless its row is just being written.
     */
    private void lookAtLease() {
        if (!(life.isStored() || life.isSaving()) || life.isOver()) {
            return;
        }
        var now = performer.term();
        var facts = life.facts();
        var isKnown = facts.doubted() && facts.doubtTerm() == now;
        if (!isKnown
                && (now == RunLife.NO_TERM || now != facts.term())
                && RunLifecycle.on(plan, life, new LeaseDoubted(now)) instanceof Moved(var next, var _, var _)) {
            life = next;
        }
    }

    /** A defect ends the run as an internal error; a defect during the end leaves the run to its next owner. */
    private void breakOff(Throwable defect) {
        performer.struck(defect);
        inbox.clear();
        if (life.isOver()) {
            take(new Defect(defect));
        } else {
            inbox.add(new Defect(defect));
            performer.later(this::drain);
        }
    }
}
