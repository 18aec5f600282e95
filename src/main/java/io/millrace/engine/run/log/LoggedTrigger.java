package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * Record of the trigger in the log of a run.
 *
 * @param output output that the steps saw; the input of a trigger that failed
 */
public record LoggedTrigger(JsonNode output, boolean failed) {
    /** Reads the record of the trigger from a log; empty without one. */
    public static Optional<LoggedTrigger> of(JsonNode steps) {
        return steps.valueStream()
                .filter(record -> isTrigger(record.path("type").asText()))
                .findFirst()
                .map(record -> new LoggedTrigger(
                        record.path("output"), record.path("status").asText().equals("FAILED")));
    }

    private static boolean isTrigger(String type) {
        return type.equals("PIECE_TRIGGER") || type.equals("EMPTY");
    }
}
