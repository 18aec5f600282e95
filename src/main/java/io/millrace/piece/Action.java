package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;

/** An action of a piece, usable as a step of a flow. */
public interface Action {
    ActionSpec spec();

    /** Returns whether the action uses the oldest calling convention, which passes a connection's bare secret (7.6). */
    default boolean takesBareSecrets() {
        return false;
    }

    /**
     * The input of a step before anything in it is evaluated: an action may keep names of connections from being taken for
     * their secrets.
     */
    default JsonNode asWritten(JsonNode input) {
        return input;
    }

    /**
     * Runs the action on the event loop of its run; must not block.
     *
     * @return the step's output; a null value is "no output". A failure with {@link PieceFailure} fails the step with
     *     its message; any other failure is a defect of the piece and fails the step with the error's text
     */
    Future<JsonNode> run(StepContext context);

    /**
     * Runs the action as the test of a single step (contract pieces 3), where an action may skip what only a run needs.
     */
    default Future<JsonNode> test(StepContext context) {
        return run(context);
    }
}
