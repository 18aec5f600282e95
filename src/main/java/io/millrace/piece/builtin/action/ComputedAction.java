package io.millrace.piece.builtin.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.property.Property;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.vertx.core.Future;
import java.util.Map;
import java.util.function.Function;

/**
 * An action that computes its output from its input, synchronously for small inputs.
 *
 * @param linear true if the work grows with the input: a large input is then processed off the event loop, and one
 *     above the limit is rejected
 * @param compute may throw {@link PieceFailure}; a null result is "no output"
 */
public record ComputedAction(ActionSpec spec, boolean linear, Function<ObjectNode, JsonNode> compute)
        implements Action {
    /** Largest input that is processed on the event loop: some milliseconds for the slowest action. */
    static final long INLINE_SIZE_MAX = 64 * 1024;

    public static final long SIZE_MAX = 16 * 1024 * 1024;

    public ComputedAction(ActionSpec spec, Function<ObjectNode, JsonNode> compute) {
        this(spec, false, compute);
    }

    public static ComputedAction linear(ActionSpec spec, Function<ObjectNode, JsonNode> compute) {
        return new ComputedAction(spec, true, compute);
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        var props = context.props();
        var size = linear ? InputSize.of(props) : 0;
        if (size > SIZE_MAX) {
            return Future.failedFuture(
                    PieceFailure.of("Expected an input of at most " + SIZE_MAX + " characters, found one of " + size));
        }
        return size <= INLINE_SIZE_MAX ? computed(props) : LongWork.run(() -> compute.apply(props));
    }

    private Future<JsonNode> computed(ObjectNode props) {
        try {
            return Future.succeededFuture(compute.apply(props));
        } catch (PieceFailure | ExpressionFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    /** A pure action: its output depends on its input alone. Editors hide the error options. */
    public static ActionSpec pure(String name, String displayName, String description, Map<String, Property> props) {
        return new ActionSpec(name, displayName, description, props, true, false, true);
    }

    /** An action whose output depends on the clock or on random numbers. Editors hide the error options. */
    public static ActionSpec varying(String name, String displayName, String description, Map<String, Property> props) {
        return new ActionSpec(name, displayName, description, props, true, false, false);
    }
}
