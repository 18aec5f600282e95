package io.millrace.engine.run.actor;

import io.millrace.base.trace.TraceContext;
import io.millrace.engine.run.OwnedRun;
import io.millrace.engine.run.RunInbox;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.StartListener;
import java.util.Optional;

/** Is told how actors are done with their runs. */
public interface RunDepartures {
    /**
     * A run whose actor is done with it.
     *
     * @param inbox says which actor it was
     * @param stored whether the run is known to have a row
     */
    record Departed(RunInbox inbox, RunWrite.RunHeader header, long fence, boolean stored) {
        public String runId() {
            return header.id();
        }
    }

    /**
     * The run is about to pause, and somebody waits for its answer: other nodes are told before one of them can carry it on.
     */
    void pausing(String runId);

    /**
     * The run is durably paused and takes no more memory.
     *
     * @param caller who still waits for its answer
     * @param next the run when it goes on at once, or null
     */
    void paused(Departed run, StartListener caller, OwnedRun next);

    /**
     * The run is saved as far as it got and takes no more memory; it goes on when there is some.
     *
     * @param caller who still waits for its answer
     */
    void gaveWay(Departed run, StartListener caller);

    /**
     * The run's end is durable.
     *
     * @param trace where it stands in a trace that is recorded
     */
    void ended(Departed run, RunWrite.Ending ending, Optional<TraceContext> trace);

    /**
     * The run goes on elsewhere, or later.
     *
     * @param cause why it could not be saved, so that no other owner is known; null when another owner has it
     */
    void abandoned(Departed run, Throwable cause);
}
