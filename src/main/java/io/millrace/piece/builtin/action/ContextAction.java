package io.millrace.piece.builtin.action;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.vertx.core.Future;
import java.util.function.Function;

/**
 * An action that uses more of the step's context than the input.
 *
 * @param body may throw {@link PieceFailure}
 */
public record ContextAction(ActionSpec spec, Function<StepContext, Future<JsonNode>> body) implements Action {
    @Override
    public Future<JsonNode> run(StepContext context) {
        try {
            return body.apply(context);
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }
}
