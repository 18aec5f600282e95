package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** What a shard gives to its runs: time, the writer, and the parts that do the work. */
interface RunHost extends RunTimers.Clockwork {
    String nodeId();

    StepRunner steps();

    StepServices services();

    InstantSource clock();

    RandomGenerator random();

    long flowTimeoutMs();

    long logBytesMax();

    /** Writes durably; false when another node owns the run. */
    Future<Boolean> write(RunWrite write);

    /** JSON of a log; a large one is written on a worker. */
    Future<Buffer> serialise(JsonNode log, long bytes);

    /** Continues after other work of the loop. */
    void later(Runnable action);

    /** The run's end is durable. */
    void ended(RunActor run, RunStatus status);

    /**
     * The run goes on elsewhere, or later.
     *
     * @param cause why it could not be saved, so that no other owner is known; null when another owner has it
     */
    void abandoned(RunActor run, Throwable cause);
}
