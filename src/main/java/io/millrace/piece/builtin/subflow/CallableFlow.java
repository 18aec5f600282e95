package io.millrace.piece.builtin.subflow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.RunStart;
import io.millrace.piece.StepContext.StoreScope;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.builtin.action.Props;
import io.vertx.core.Future;
import java.util.List;

/** Starts a flow when another one calls it, and stores the caller's address for the response. */
final class CallableFlow implements PieceTrigger {
    private static final String CALLBACK_URL = "callbackUrl";

    private static final TriggerSpec SPEC = new TriggerSpec(
            SubflowsPiece.CALLABLE,
            "Callable Flow",
            "Starts the flow when another flow calls it.",
            Props.of(
                    SubflowsPiece.MODE,
                    Props.named("exampleData", SubflowsPiece.dynamic("Sample Data", "sampleData", "Sample Data"))),
            false,
            TriggerSpec.Strategy.WEBHOOK,
            NullNode.instance,
            TriggerSpec.TestStrategy.TEST_FUNCTION);

    @Override
    public TriggerSpec spec() {
        return SPEC;
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        return Future.succeededFuture(List.of(context.payload().path("body")));
    }

    @Override
    public Future<List<JsonNode>> test(TriggerContext context) {
        var item = Json.object();
        item.set("data", context.props().path("exampleData").path("sampleData"));
        return Future.succeededFuture(List.of(item.put(CALLBACK_URL, "MOCK")));
    }

    @Override
    public Future<Void> onStart(RunStart start) {
        var callbackUrl = start.payload().path(CALLBACK_URL);
        return callbackUrl.isTextual()
                ? start.storePut(StoreScope.FLOW, SubflowsPiece.callbackKey(start.runId()), callbackUrl)
                : Future.succeededFuture();
    }
}
