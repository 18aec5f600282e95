package io.millrace.engine.run.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StepProgress;
import io.millrace.engine.run.journal.RunProgressHub;

/**
 * Follows a run for somebody, whichever node carries it: tells each step that begins or ends, and each change of the run's status, in
 * order and once. The row says how the run stands; what its actor tells in between is only the quicker way. Stays on the
 * context on which it was opened.
 */
public final class RunSubscription {
    private final Bus bus;
    private final String runId;
    private final long deadlineMs;
    private final Listener listener;
    private final RunProgressHub.Watching watching;
    private long last;
    private boolean caughtUp;
    private boolean closed;
    private RunStatus status;

    /** Who is told. */
    public interface Listener {
        /**
         * A step goes on (contract flows-and-engine 31, UPDATE_RUN_PROGRESS).
         *
         * @param number place of its record among those of the run, from 1; 0 for a step that begins
         * @param step its name, path and output
         */
        void step(Run run, long number, ObjectNode step);

        /** The status of the run is another one. */
        void run(Run run);

        /** There is no more to tell. */
        void end();
    }

    private RunSubscription(
            Bus bus, RunProgressHub watch, String runId, long last, long deadlineMs, Listener listener) {
        this.bus = bus;
        this.runId = runId;
        this.last = last;
        this.deadlineMs = deadlineMs;
        this.listener = listener;
        this.watching = watch.open(runId, this::heard);
    }

    /**
     * Begins to follow.
     *
     * @param last number of the last record that the listener knows; 0 for none
     */
    public static RunSubscription open(
            Bus bus, RunProgressHub watch, String runId, long last, long deadlineMs, Listener listener) {
        var follower = new RunSubscription(bus, watch, runId, last, deadlineMs, listener);
        follower.look();
        return follower;
    }

    /** Follows no longer. */
    public void close() {
        if (!closed) {
            closed = true;
            watching.close();
        }
    }

    private void heard(Runs.Progressed progress) {
        progress.step().ifPresentOrElse(step -> step(progress.run(), step, progress.again()), () -> {
            caughtUp |= progress.again();
            run(progress.run());
        });
    }

    /**
     * Until everything before has been told again, what happens now would only come out of order. A run that goes on
     * after a pause walks over what it has done already; a step that is tried again has the number that it had.
     */
    private void step(Run run, StepProgress step, boolean again) {
        var begins = step.number() == 0;
        if (again ? step.number() <= last : !caughtUp || !begins && step.number() < last) {
            return;
        }
        last = begins ? last : step.number();
        listener.step(run, step.number(), step.toJson());
    }

    private void run(Run run) {
        if (run.status() != status) {
            status = run.status();
            listener.run(run);
        }
        if (run.status().isTerminal()) {
            end();
        }
    }

    /** Looks at the row: a run that has ended tells nothing. */
    public void look() {
        if (!caughtUp) {
            bus.publish(new Runs.TellAgain(runId, last));
        }
        bus.ask(new Runs.Look(runId), deadlineMs)
                .onSuccess(run -> {
                    if (!closed && (status == null || run.status().isTerminal())) {
                        run(run);
                    }
                })
                .onFailure(_ -> end());
    }

    private void end() {
        if (!closed) {
            close();
            listener.end();
        }
    }
}
