package io.millrace.engine.run.waitpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.engine.run.Waitpoints;
import io.millrace.engine.run.log.RecordText;
import java.util.ArrayDeque;
import java.util.Optional;

/** Finds the prompt of the waiting step in the log of a paused run, for the approval page. */
final class PausedPrompt {
    /** Limit in bytes as stored: a longer log is not searched, and the page then shows the name of the flow only. */
    static final int LOG_BYTES_MAX = 1 << 20;

    private PausedPrompt() {}

    /** @param log the map of steps as stored; a long one is compressed */
    static Optional<Waitpoints.Prompt> in(byte[] log) {
        return log.length > LOG_BYTES_MAX ? Optional.empty() : in(RecordText.read(log));
    }

    /** A paused step may be in an iteration of a loop; the loops around it have status RUNNING. */
    private static Optional<Waitpoints.Prompt> in(JsonNode steps) {
        var waiting = new ArrayDeque<JsonNode>();
        waiting.add(steps);
        while (!waiting.isEmpty()) {
            for (var step : waiting.poll().properties()) {
                var record = step.getValue();
                if (record.path("status").asText().equals("PAUSED")) {
                    return Optional.of(new Waitpoints.Prompt(step.getKey(), record.path("input")));
                }
                if (record.path("type").asText().equals("LOOP_ON_ITEMS")) {
                    record.at("/output/iterations").forEach(waiting::add);
                }
            }
        }
        return Optional.empty();
    }
}
