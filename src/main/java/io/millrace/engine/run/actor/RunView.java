package io.millrace.engine.run.actor;

import io.millrace.base.bus.BusRequest;
import io.millrace.engine.run.log.RecordText;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;

/**
 * Asks a shard for the progress of a run that has its actor there (contract flows-and-engine 6.2, 15.4). The answer is
 * empty without an actor, or when its log is too large to be shown before it is stored.
 */
public record RunView(String runId) implements BusRequest<Optional<RunView.CurrentLog>> {
    /**
     * A run at this moment.
     *
     * @param steps its log as a text ({@link RecordText}), with the executing step
     */
    public record CurrentLog(Buffer steps, int stepsCount) {}
}
