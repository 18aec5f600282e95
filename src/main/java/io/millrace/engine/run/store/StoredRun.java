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
 * A live run as stored in its rows, its values still text and compressed. Parsing them may take much time and memory;
 * {@link #read} must be called only when both are available.
 *
 * @param run everything but the values
 * @param records results by path
 * @param completion completion of the waitpoint with which it resumes, if it paused
 */
public record StoredRun(
        RunSnapshot run, Buffer payload, Map<String, Buffer> records, Optional<CompletedWaitpoint> completion) {
    public record CompletedWaitpoint(String path, String waitpointId, Buffer payload, boolean expired) {}

    public long bytes() {
        var bytes = (long) payload.length();
        for (var record : records.values()) {
            bytes += record.length();
        }
        return bytes + completion.map(done -> (long) done.payload().length()).orElse(0L);
    }

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
