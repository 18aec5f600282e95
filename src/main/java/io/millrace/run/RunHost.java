package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.bus.Notice;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** What a shard gives to its runs: time, the writer, and the parts that do the work. */
interface RunHost extends RunTimers.Clockwork {
    String nodeId();

    StepRunner steps();

    StepServices services();

    StepWaitpoints waitpoints();

    InstantSource clock();

    RandomGenerator random();

    long flowTimeoutMs();

    long logBytesMax();

    /** Outputs larger than this are kept apart from the log. */
    long sliceBytesMin();

    Slices slices();

    RunMemory memory();

    RunWatch watch();

    /** The term of this node's lease, or {@link LeaseTerms#NONE} while nothing is sure. */
    long term();

    /** Writes durably; false when another node owns the run. */
    Future<Boolean> write(RunWrite write);

    /** Writes a pause durably. */
    Future<Pauses.Paused> pause(Pauses.Pause pause);

    /** JSON of a log; a large one is written on a worker. */
    Future<Buffer> serialise(JsonNode log, long bytes);

    /** The time, as exact as a row keeps it. */
    Instant now();

    /**
     * Keeps what a tested step was given and put out as its samples. Always succeeds.
     *
     * @return {@code {sampleDataFileId?, sampleDataInputFileId?}}
     */
    Future<ObjectNode> keepSample(String flowVersionId, String stepName, JsonNode record);

    /** Tells whoever listens. */
    void tell(Notice notice);

    /** Continues after other work of the loop. May be called on any thread. */
    void later(Runnable action);

    /**
     * The run is durably paused and takes no more memory.
     *
     * @param caller who still waits for its answer
     * @param next the run when it goes on at once, or null
     */
    void paused(RunActor run, RunWaiter caller, LiveRun next);

    /** The run's end is durable. */
    void ended(RunActor run, RunStatus status);

    /**
     * The run goes on elsewhere, or later.
     *
     * @param cause why it could not be saved, so that no other owner is known; null when another owner has it
     */
    void abandoned(RunActor run, Throwable cause);
}
