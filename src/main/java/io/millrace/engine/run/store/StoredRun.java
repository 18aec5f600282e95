package io.millrace.engine.run.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.run.RunSnapshot;
import io.millrace.engine.run.log.RecordText;
import io.vertx.core.buffer.Buffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A live run as its rows hold it, its values still text and compressed. Making trees of them may take long, and much
 * memory: {@link #read} is for whoever has both.
 *
 * @param run everything but the values
 * @param records results by path
 * @param completion what was completed with the waitpoint that it goes on from, if it paused
 */
public record StoredRun(RunSnapshot run, Buffer payload, Map<String, Buffer> records, Optional<Completed> completion) {
    /** A completed waitpoint. */
    public record Completed(String path, String waitpointId, Buffer payload, boolean expired) {}

    /** What the values take as they are kept. */
    public long bytes() {
        var bytes = (long) payload.length();
        for (var record : records.values()) {
            bytes += record.length();
        }
        return bytes + completion.map(done -> (long) done.payload().length()).orElse(0L);
    }

    /** The run with its values. */
    public RunSnapshot read() {
        var values = new LinkedHashMap<String, JsonNode>();
        records.forEach((path, record) -> values.put(path, RecordText.read(record.getBytes())));
        return run.with(
                RecordText.read(payload.getBytes()),
                values,
                completion
                        .map(done -> new RunSnapshot.Resume(
                                done.path(),
                                done.waitpointId(),
                                (ObjectNode) RecordText.read(done.payload().getBytes()),
                                done.expired()))
                        .orElse(null));
    }
}
