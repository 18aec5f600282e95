package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Notice;
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

    RunProgressHub watch();

    /** The term of this node's lease, or {@link LeaseEpochs#NONE} while nothing is sure. */
    long term();

    /** Writes durably; false when another node owns the run. */
    Future<Boolean> write(RunWrite write);

    /** Writes a pause durably. */
    Future<Pauses.Paused> pause(Pauses.Pause pause);

    /** The text of a value as it is kept; a large one is written on a worker. */
    Future<Buffer> serialise(JsonNode value, long bytes);

    /** The values of a stored run; large ones are parsed on a worker. */
    Future<Read> read(StoredRun stored);

    /**
     * A stored run with its values.
     *
     * @param payloadBytes what its payload takes as text
     * @param textBytes what all values take as text
     */
    record Read(RunSnapshot run, long payloadBytes, long textBytes) {
        static Read of(StoredRun stored) {
            var run = stored.read();
            return new Read(run, JsonSize.of(run.payload()), run.textBytes());
        }
    }

    /** Notes durably which step of a run is about to be at work; false when another node owns the run. */
    Future<Boolean> noteStep(String runId, long fence, String path);

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
    void paused(RunActor run, StartListener caller, OwnedRun next);

    /**
     * The run is saved as far as it got and takes no more memory; it goes on when there is some.
     *
     * @param caller who still waits for its answer
     */
    void gaveWay(RunActor run, StartListener caller);

    /** The run's end is durable. */
    void ended(RunActor run, RunStatus status);

    /**
     * The run goes on elsewhere, or later.
     *
     * @param cause why it could not be saved, so that no other owner is known; null when another owner has it
     */
    void abandoned(RunActor run, Throwable cause);
}
