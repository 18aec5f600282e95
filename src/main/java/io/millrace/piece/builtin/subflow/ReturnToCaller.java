package io.millrace.piece.builtin.subflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.StepContext;
import io.millrace.piece.StepContext.StoreScope;
import io.millrace.piece.Subflows;
import io.millrace.piece.builtin.action.Props;
import io.vertx.core.Future;

/** Returns a response to the flow that called this one and waits (contract flows-and-engine 14.2). */
final class ReturnToCaller implements Action {
    private static final ActionSpec SPEC = new ActionSpec(
            "returnResponse",
            "Return Response",
            "Returns a response to the flow that called this one.",
            Props.of(
                    SubflowsPiece.MODE,
                    Props.named("response", SubflowsPiece.dynamic("Response", "response", "Response"))),
            false,
            false,
            false);

    private final Subflows subflows;

    ReturnToCaller(Subflows subflows) {
        this.subflows = subflows;
    }

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        var response = response(context);
        var body = Json.object().put("status", "success");
        body.set("data", response);
        return context.storeGet(StoreScope.FLOW, SubflowsPiece.callbackKey(context.runId()))
                .compose(callbackUrl -> callbackUrl
                        .map(url -> subflows.answer(url.asText(), body))
                        // The caller does not wait.
                        .orElseGet(Future::succeededFuture))
                .map(response);
    }

    /** A test sends no answer. */
    @Override
    public Future<JsonNode> test(StepContext context) {
        return Future.succeededFuture(response(context));
    }

    private static JsonNode response(StepContext context) {
        var response = context.props().path("response").path("response");
        return response.isMissingNode() ? NullNode.instance : response;
    }
}
