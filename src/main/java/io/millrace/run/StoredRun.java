package io.millrace.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.persistence.Rows;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
record StoredRun(LiveRun run, byte[] payload, Map<String, byte[]> records, Optional<Completed> completion) {
    /** A completed waitpoint. */
    record Completed(String path, String waitpointId, byte[] payload, boolean expired) {}

    /** Runs whose rows, results and completed waitpoints were read apart. */
    static List<StoredRun> of(RowSet<Row> runs, RowSet<Row> results, RowSet<Row> completions) {
        var records = new HashMap<String, Map<String, byte[]>>();
        results.forEach(row -> records.computeIfAbsent(Rows.text(row, "id"), _ -> new LinkedHashMap<>())
                .put(Rows.text(row, "path"), Rows.bytes(row, "record")));
        var completed = new HashMap<String, Completed>();
        completions.forEach(row -> completed.put(Rows.text(row, "id"), completed(row)));
        var stored = new ArrayList<StoredRun>();
        runs.forEach(row -> {
            var id = Rows.text(row, "id");
            stored.add(new StoredRun(
                    LiveRun.of(row),
                    Rows.bytes(row, "payload"),
                    records.getOrDefault(id, Map.of()),
                    Optional.ofNullable(completed.get(id))));
        });
        return stored;
    }

    private static Completed completed(Row row) {
        return new Completed(
                Rows.text(row, "path"),
                Rows.text(row, "waitpoint_id"),
                Rows.bytes(row, "resume_payload"),
                Rows.flag(row, "expired"));
    }

    /** What the values take as they are kept. */
    long bytes() {
        var bytes = (long) payload.length;
        for (var record : records.values()) {
            bytes += record.length;
        }
        return bytes + completion.map(done -> (long) done.payload().length).orElse(0L);
    }

    /** The run with its values. */
    LiveRun read() {
        var values = new LinkedHashMap<String, JsonNode>();
        records.forEach((path, record) -> values.put(path, RecordText.read(record)));
        return run.with(
                RecordText.read(payload),
                values,
                completion
                        .map(done -> new LiveRun.Resume(
                                done.path(),
                                done.waitpointId(),
                                (ObjectNode) RecordText.read(done.payload()),
                                done.expired()))
                        .orElse(null));
    }
}
