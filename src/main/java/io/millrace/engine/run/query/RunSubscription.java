package io.millrace.engine.run.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.StepProgress;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.journal.RunProgressHub;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscription to a run at any node: delivers each step that begins or ends, and each change of the run's status, in
 * order and once. The row is authoritative; notices of its actor are only faster. Confined to the context on which it
 * was opened.
 */
public final class RunSubscription {
    private static final Logger LOG = LoggerFactory.getLogger(RunSubscription.class);

    private static final int HELD_MAX = 100;

    private final Bus bus;
    private final String runId;
    private final long deadlineMs;
    private final Listener listener;
    private final RunProgressHub.Watching watching;
    private final Bus.OpenEndpoint work;
    private long last;
    private JsonNode soFar = MissingNode.getInstance();
    private boolean looking;
    private boolean lookAgain;
    private boolean caughtUp;
    private boolean closed;
    private RunStatus status;
    private long heardCount;

    /** Records that arrived before their predecessors; delivered when the gap is closed, or when no more arrive. */
    private final List<Runs.Progressed> held = new ArrayList<>();

    public interface Listener {
        /**
         * Progress of a step (contract flows-and-engine 31, UPDATE_RUN_PROGRESS).
         *
         * @param number index of its record among those of the run, from 1; 0 for a step that begins, or that waits
         *     with intermediate output
         * @param step its name, path and output
         */
        void step(Run run, long number, ObjectNode step);

        void run(Run run);

        void end();
    }

    private RunSubscription(
            Bus bus, RunProgressHub watch, String runId, long last, long deadlineMs, Listener listener) {
        this.bus = bus;
        this.runId = runId;
        this.last = last;
        this.deadlineMs = deadlineMs;
        this.listener = listener;
        this.watching = watch.open(runId, this::onProgress);
        this.work = bus.on(Waitpoints.CameFurther.class, told -> {
            if (told.runId().equals(runId)) {
                lookAtStep();
            }
        });
    }

    /**
     * Begins the subscription.
     *
     * @param last number of the last record that the listener has received; 0 for none
     */
    public static RunSubscription open(
            Bus bus, RunProgressHub watch, String runId, long last, long deadlineMs, Listener listener) {
        var follower = new RunSubscription(bus, watch, runId, last, deadlineMs, listener);
        follower.look();
        return follower;
    }

    public void close() {
        if (!closed) {
            closed = true;
            watching.close();
            work.close();
        }
    }

    private void onProgress(Runs.Progressed progress) {
        heardCount++;
        progress.step().ifPresentOrElse(step -> step(progress, step), () -> {
            if (progress.again()) {
                caughtUp = true;
                tellHeld();
            }
            run(progress.run());
        });
    }

    private void tellHeld() {
        held.stream()
                .filter(progress -> progress.step().orElseThrow().number() > last)
                .forEach(progress -> tell(progress.run(), progress.step().orElseThrow()));
        held.clear();
    }

    /**
     * New records are held back until the missing ones have been repeated. A run that resumes after a pause walks over
     * its finished steps again; a retried step keeps its number.
     */
    private void step(Runs.Progressed progress, StepProgress step) {
        var begins = step.number() == 0;
        if (!progress.again() && !caughtUp) {
            if (!begins && held.size() < HELD_MAX) {
                held.add(progress);
            }
            return;
        }
        if (progress.again() ? isKnown(step) : !begins && step.number() < last) {
            return;
        }
        tell(progress.run(), step);
    }

    /**
     * Returns whether a repeated notice was already sent. The start of a step counts as not sent until the missing
     * records have been repeated.
     */
    private boolean isKnown(StepProgress step) {
        return step.number() == 0 ? caughtUp : step.number() <= last;
    }

    private void tell(Run run, StepProgress step) {
        last = Math.max(last, step.number());
        listener.step(run, step.number(), step.toJson());
    }

    private void run(Run run) {
        if (run.status() != status) {
            if (run.status().isTerminal()) {
                tellHeld();
            }
            var goesOn = status != null && run.status() == RunStatus.RUNNING;
            status = run.status();
            listener.run(run);
            lookAtStep();
            if (goesOn && !caughtUp) {
                // A waiting run has no actor that could report.
                bus.publish(new Runs.TellAgain(runId, last));
            }
        }
        if (run.status().isTerminal()) {
            end();
        }
    }

    /**
     * A waiting run has no actor: the intermediate output of its step is reported by the module that works on it, and
     * stored in rows.
     */
    private void lookAtStep() {
        if (closed || status != RunStatus.PAUSED) {
            return;
        }
        if (looking) {
            lookAgain = true;
            return;
        }
        looking = true;
        bus.ask(new Waitpoints.LookAtStep(runId), deadlineMs)
                .onSuccess(found -> found.ifPresent(this::tell))
                .onFailure(cause -> LOG.debug("cannot publish the progress of run {}, retrying", runId, cause))
                .onComplete(_ -> {
                    looking = false;
                    if (lookAgain) {
                        lookAgain = false;
                        lookAtStep();
                    }
                });
    }

    /** The run may have resumed meanwhile, and reported its step's record. */
    private void tell(Waitpoints.StepSoFar seen) {
        var output = seen.step().output();
        if (!closed && status == RunStatus.PAUSED && seen.run().status() == status && !output.equals(soFar)) {
            soFar = output;
            listener.step(seen.run(), seen.step().number(), seen.step().toJson());
        }
    }

    /** Reads the row: a run that has ended sends no notices. */
    public void look() {
        lookAtStep();
        if (!caughtUp) {
            bus.publish(new Runs.TellAgain(runId, last));
        }
        var before = heardCount;
        bus.ask(new RunQueries.Look(runId), deadlineMs)
                .onSuccess(run -> {
                    if (!closed && (status == null || run.status().isTerminal() || isNews(run, before))) {
                        run(run);
                    }
                })
                .onFailure(this::lost);
    }

    /** While the database is unavailable, it is unknown whether more notices follow. */
    private void lost(Throwable cause) {
        if (!ApiException.isUnavailable(cause)) {
            end();
        }
    }

    /** A pause is in the row before its notice; notices of other nodes may be lost. */
    private boolean isNews(Run run, long heardBefore) {
        return run.status() == RunStatus.PAUSED && heardCount == heardBefore;
    }

    private void end() {
        if (!closed) {
            close();
            listener.end();
        }
    }
}
