package io.millrace.engine.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Notice;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;

/** Makes writes of a shard's runs durable and announces them. */
public interface RunWriter {
    String nodeId();

    /** Writes durably; false when another node owns the run. */
    Future<Boolean> write(RunWrite write);

    Future<Pauses.PauseResult> pause(Pauses.Pause pause);

    /** Records durably which step of a run is about to execute; false when another node owns the run. */
    Future<Boolean> noteStep(String runId, long fence, String path);

    /** Serializes a value for storage; a large one on a worker. */
    Future<Buffer> serialise(JsonNode value, long bytes);

    /** Serializes a run's log, with the dictionary of its flow version. */
    Future<Buffer> log(String flowVersionId, JsonNode steps, long bytes);

    /**
     * Stores the input and output of a tested step as its samples. Always succeeds.
     *
     * @return {@code {sampleDataFileId?, sampleDataInputFileId?}}
     */
    Future<ObjectNode> keepSample(String flowVersionId, String stepName, JsonNode record);

    void tell(Notice notice);
}
