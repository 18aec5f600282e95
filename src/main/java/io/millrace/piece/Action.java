package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;

/** An action of a piece, usable as a step of a flow. */
public interface Action {
    ActionSpec spec();

    /** Returns whether the action uses the oldest calling convention, which passes a connection's bare secret (7.6). */
    default boolean takesBareSecrets() {
        return false;
    }

    /**
     * Input of a step before evaluation of its expressions. An action may override this to keep connection references
     * from being replaced by their secrets.
     */
    default JsonNode asWritten(JsonNode input) {
        return input;
    }

    /** The input of a new or changed step under current names, when earlier versions of the piece named a property differently. */
    default ObjectNode underCurrentNames(ObjectNode input) {
        return input;
    }

    /**
     * Runs the action on the event loop of its run; must not block.
     *
     * @return the step's output; a null value is "no output". A failure with {@link PieceFailure} fails the step with
     *     its message; any other failure is a defect of the piece and fails the step with the error's text
     */
    Future<JsonNode> run(StepContext context);

    /** Runs the action as a test of a single step (contract pieces 3), which may skip parts that need a run. */
    default Future<JsonNode> test(StepContext context) {
        return run(context);
    }
}
