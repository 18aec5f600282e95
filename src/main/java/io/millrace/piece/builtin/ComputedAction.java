package io.millrace.piece.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.expression.ExpressionFailure;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.Property;
import io.millrace.piece.StepContext;
import io.vertx.core.Future;
import java.util.Map;
import java.util.function.Function;

/**
 * An action that computes its output on the spot, from its input.
 *
 * @param compute may throw {@link PieceFailure}; a null result is "no output"
 */
record ComputedAction(ActionSpec spec, Function<ObjectNode, JsonNode> compute) implements Action {
    @Override
    public Future<JsonNode> run(StepContext context) {
        try {
            return Future.succeededFuture(compute.apply(context.props()));
        } catch (PieceFailure | ExpressionFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    /** A pure action: its output depends on its input alone. Editors hide the error options. */
    static ActionSpec pure(String name, String displayName, String description, Map<String, Property> props) {
        return new ActionSpec(name, displayName, description, props, true, false, true);
    }
}
