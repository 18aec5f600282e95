package io.millrace.sandbox.node.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Result of a call (contract pieces 10.4). */
public sealed interface NodeResult {
    ConsoleOutput printed();

    /**
     * The package returned.
     *
     * @param value null for nothing
     * @param hooks side results (4.3)
     */
    record Returned(JsonNode value, ObjectNode hooks, ConsoleOutput printed) implements NodeResult {}

    /**
     * The package threw.
     *
     * @param error name, message, class and data of an HTTP client (8.1)
     */
    record Threw(ObjectNode error, ObjectNode hooks, ConsoleOutput printed) implements NodeResult {}

    record TimedOut(ConsoleOutput printed) implements NodeResult {}

    record MemoryExceeded(ConsoleOutput printed) implements NodeResult {}

    /** Process killed externally, neither by the package nor by the kernel for lack of memory. */
    record Killed(ConsoleOutput printed) implements NodeResult {}

    /** The process ended, or violated the protocol. */
    record Broke(String reason, ConsoleOutput printed) implements NodeResult {}

    record Cancelled(ConsoleOutput printed) implements NodeResult {}

    /**
     * No process began the call.
     *
     * @param isLasting true if trying again does not help, for example without Node.js on the host
     */
    record Unavailable(String reason, boolean isLasting) implements NodeResult {
        public static Unavailable forNow(String reason) {
            return new Unavailable(reason, false);
        }

        public static Unavailable lasting(String reason) {
            return new Unavailable(reason, true);
        }

        @Override
        public ConsoleOutput printed() {
            return ConsoleOutput.NOTHING;
        }
    }
}
