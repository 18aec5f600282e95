package io.millrace.piece.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * What is made of a stored value. Called inside the transaction that keeps the result, perhaps more than once: it does
 * nothing but compute. What it throws leaves the value as it was.
 */
@FunctionalInterface
public interface StoreEdit {
    Edited apply(Optional<JsonNode> value);

    /**
     * What becomes of the value, and what its editor is told.
     *
     * @param value null removes it
     * @param answer null when there is nothing to tell
     */
    record Edited(JsonNode value, JsonNode answer) {
        /** A new value, which is told too. */
        public static Edited to(JsonNode value) {
            return new Edited(value, value);
        }
    }
}
