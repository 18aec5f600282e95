package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * What the log of a run says of its trigger.
 *
 * @param output what the steps saw; of a trigger that failed, what it was given
 */
public record LoggedTrigger(JsonNode output, boolean failed) {
    /** Empty when the log has no record of a trigger. */
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
