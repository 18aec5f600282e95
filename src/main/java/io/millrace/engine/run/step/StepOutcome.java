package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.ErrorMessage;
import io.millrace.piece.PieceCrash;

/** The input is the one for the log: censored and shortened. */
sealed interface StepOutcome {
    /** @param output null without an output */
    record Succeeded(JsonNode input, JsonNode output) implements StepOutcome {}

    /** @param errorMessage JSON text of contract flows-and-engine 11.3 */
    record Failed(JsonNode input, String errorMessage) implements StepOutcome {}

    /** Ends the run, regardless of the step's settings for failures. */
    sealed interface Overrun extends StepOutcome {}

    record MemoryExceeded(JsonNode input) implements Overrun {}

    record TimedOut(JsonNode input) implements Overrun {}

    record ProcessLost(JsonNode input, String message) implements Overrun {}

    static StepOutcome failed(JsonNode input, Throwable cause) {
        return cause instanceof PieceCrash crash
                ? overrun(input, crash)
                : new Failed(input, ErrorMessage.of(NamedFailure.of(cause)));
    }

    static Overrun overrun(JsonNode input, PieceCrash crash) {
        return switch (crash.why()) {
            case TIME -> new TimedOut(input);
            case MEMORY -> new MemoryExceeded(input);
            case INTERNAL -> new ProcessLost(input, crash.getMessage());
        };
    }
}
