package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.engine.run.RunWrite;
import io.vertx.core.Future;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The outputs of one run that are too large for its log (contract flows-and-engine 15.2). Each is stored as a file, and
 * the log holds a reference. In memory the value stays only as long as memory is plentiful; afterwards it is fetched
 * again when an expression needs it. Not thread-safe: one actor owns it.
 */
public final class RunSlices {
    private static final String SLICE = "slice";

    private final Supplier<Slices> slices;
    private final long bytesMin;
    private final RunWrite.RunHeader run;
    private final Map<String, SoftReference<JsonNode>> values = new HashMap<>();
    private final List<Future<?>> underWay = new ArrayList<>();

    /** @param bytesMin outputs larger than this are stored apart */
    public RunSlices(Supplier<Slices> slices, long bytesMin, RunWrite.RunHeader run) {
        this.slices = slices;
        this.bytesMin = bytesMin;
        this.run = run;
    }

    boolean takes(long outputBytes) {
        return outputBytes > bytesMin;
    }

    public static boolean isIn(JsonNode stepRecord) {
        return stepRecord.path("outputType").asText().equals(SLICE);
    }

    static long sizeOf(JsonNode stepRecord) {
        return stepRecord.path("output").path("size").asLong();
    }

    /** Starts to store an output, and replaces it in the record by a reference. */
    void put(ObjectNode stepRecord, JsonNode output, long bytes) {
        var fileId = Ids.next();
        var expires = slices.get().expiry();
        underWay.removeIf(Future::succeeded);
        underWay.add(slices.get().keep(fileId, run, expires, output, bytes));
        values.put(fileId, new SoftReference<>(output));
        var url = slices.get().url(fileId, expires);
        var reference = Json.object().put("fileId", fileId).put("size", bytes).put("url", url);
        stepRecord.put("outputType", SLICE).set("output", reference);
    }

    void restore(ObjectNode stepRecord) {
        if (isIn(stepRecord)) {
            values.put(fileIdOf(stepRecord), new SoftReference<>(null));
        }
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Succeeds when every output so far is durable; records that refer to one must be written after that. */
    Future<Void> kept() {
        return underWay.isEmpty()
                ? Future.succeededFuture()
                : Future.all(underWay).mapEmpty();
    }

    /** The values of some records by the id of their file; others are left out. Fails when a file has been deleted. */
    Future<Map<String, JsonNode>> load(Collection<? extends JsonNode> stepRecords) {
        var loaded = new HashMap<String, JsonNode>();
        var missing = new ArrayList<Future<?>>();
        for (var stepRecord : stepRecords) {
            if (isIn(stepRecord)) {
                var fileId = fileIdOf(stepRecord);
                var held =
                        values.getOrDefault(fileId, new SoftReference<>(null)).get();
                if (held == null) {
                    missing.add(fetch(fileId, sizeOf(stepRecord)).onSuccess(value -> loaded.put(fileId, value)));
                } else {
                    loaded.put(fileId, held);
                }
            }
        }
        return missing.isEmpty()
                ? Future.succeededFuture(loaded)
                : Future.all(missing).map(loaded);
    }

    private Future<JsonNode> fetch(String fileId, long bytes) {
        return kept().compose(_ -> slices.get().fetch(run.projectId(), fileId, bytes))
                .onSuccess(value -> values.put(fileId, new SoftReference<>(value)));
    }

    public static String fileIdOf(JsonNode stepRecord) {
        return stepRecord.path("output").path("fileId").asText();
    }
}
