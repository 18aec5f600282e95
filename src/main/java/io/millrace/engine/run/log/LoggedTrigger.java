package io.millrace.engine.run.log;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * Record of the trigger in the log of a run.
 *
 * @param output output that the steps saw; the input of a trigger that failed
 * @param executeTrigger whether the output is the input of the trigger, which has failed
 * @param unprepared whether the trigger has failed to prepare the run of its output
 */
public record LoggedTrigger(JsonNode output, boolean executeTrigger, boolean unprepared) {
    /** Field of the record of a trigger that has failed to prepare the run of its output. */
    public static final String UNPREPARED = "unprepared";

    public static Optional<LoggedTrigger> of(JsonNode steps) {
        return steps.valueStream()
                .filter(record -> isTrigger(record.path("type").asText()))
                .findFirst()
                .map(LoggedTrigger::read);
    }

    private static LoggedTrigger read(JsonNode record) {
        var failed = record.path("status").asText().equals("FAILED");
        var unprepared = record.path(UNPREPARED).asBoolean();
        return new LoggedTrigger(record.path("output"), failed && !unprepared, failed && unprepared);
    }

    private static boolean isTrigger(String type) {
        return type.equals("PIECE_TRIGGER") || type.equals("EMPTY");
    }
}
