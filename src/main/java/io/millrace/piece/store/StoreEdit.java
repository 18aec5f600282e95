package io.millrace.piece.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * Function from a stored value to its new value. Called inside the transaction that stores the result, possibly more
 * than once, so it must have no side effects. An exception leaves the value unchanged.
 */
@FunctionalInterface
public interface StoreEdit {
    EditResult apply(Optional<JsonNode> value);

    /**
     * New value and answer of an edit.
     *
     * @param value null removes it
     * @param answer null for none
     */
    record EditResult(JsonNode value, JsonNode answer) {
        public static EditResult to(JsonNode value) {
            return new EditResult(value, value);
        }
    }
}
