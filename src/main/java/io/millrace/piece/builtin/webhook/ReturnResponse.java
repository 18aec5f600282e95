package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.vertx.core.Future;

/**
 * Sends the response to the waiting caller, and ends or continues the run (contract flows-and-engine 13.3). Pure: the
 * response reaches the caller through the run, which sends only the first.
 */
final class ReturnResponse implements Action {
    private static final ActionSpec SPEC = new ActionSpec(
            "return_response",
            "Return Response",
            "Answers the caller of the webhook.",
            Props.of(CallerResponse.TYPE, CallerResponse.FIELDS, CallerResponse.EXECUTION),
            true,
            true,
            true);

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        try {
            var given = CallerResponse.given(context.props());
            CallerResponse.give(context, CallerResponse.answer(given));
            return Future.succeededFuture(given.response());
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }
}
