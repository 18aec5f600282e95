package io.millrace.engine.run.actor;

import io.millrace.base.trace.TraceContext;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunInbox;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.StartListener;
import java.util.Optional;

/** Listener for the ways in which an actor finishes its run. */
public interface RunDepartures {
    /**
     * A run that its actor has finished with.
     *
     * @param inbox identifies the actor
     * @param stored whether the run is known to have a row
     */
    record Departure(RunInbox inbox, RunWrite.RunHeader header, long fence, boolean stored) {
        public String runId() {
            return header.id();
        }
    }

    /**
     * The run is about to pause while a caller waits for its answer: notifies other nodes before one of them can resume
     * it.
     */
    void pausing(String runId);

    /**
     * The run is durably paused and takes no more memory.
     *
     * @param caller caller that still waits for its answer
     * @param next the run when it continues at once, or null
     */
    void paused(Departure run, StartListener caller, OwnedRun next);

    /**
     * The run is saved up to its last result and takes no more memory; it continues when memory is available.
     *
     * @param caller caller that still waits for its answer
     */
    void yielded(Departure run, StartListener caller);

    /**
     * The run's end is durable.
     *
     * @param trace context of the run in a recorded trace
     */
    void ended(Departure run, RunWrite.Ending ending, Optional<TraceContext> trace);

    /**
     * The run continues at another node, or later.
     *
     * @param cause reason why it could not be saved, so that no other owner is known; null when another owner has it
     */
    void abandoned(Departure run, Throwable cause);
}
