package io.millrace.sandbox.code;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

public sealed interface CodeResult {
    ConsoleLog log();

    default boolean isAtLimit() {
        return this instanceof TimedOut || this instanceof MemoryExceeded;
    }

    /**
     * The code returned.
     *
     * @param output a copy as JSON; null if the code returned undefined or a value without JSON
     * @param files bytes in the output, at whose places it holds null
     */
    record Returned(JsonNode output, ConsoleLog log, List<OutputFile> files) implements CodeResult {
        public Returned {
            files = List.copyOf(files);
        }

        public Returned(JsonNode output, ConsoleLog log) {
            this(output, log, List.of());
        }
    }

    /**
     * The code threw, did not compile, or returned a value that cannot be an output.
     *
     * @param message as the step's error message shows it (contract flows-and-engine 11.3)
     * @param details other fields of the error message: errorName and raw, and {@code line} of the author's source, where they exist
     */
    record Threw(String message, ObjectNode details, ConsoleLog log) implements CodeResult {}

    record TimedOut(ConsoleLog log) implements CodeResult {}

    record MemoryExceeded(ConsoleLog log) implements CodeResult {}

    /** Process killed externally, not for lack of memory. */
    record Killed(ConsoleLog log) implements CodeResult {}

    record Cancelled(ConsoleLog log) implements CodeResult {}
}
