package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.builtin.action.Props;
import io.vertx.core.Future;
import java.util.List;

/** Starts a flow with one file from a form that has no other field (contract flows-and-engine 24). */
public final class FileFormTrigger implements PieceTrigger {
    public static final String NAME = "file_submission";

    private static final TriggerSpec SPEC = new TriggerSpec(
            NAME,
            "Simple File Submission",
            "Starts the flow with an uploaded file.",
            Props.of(
                    Props.named("about", FormTrigger.addresses("form")),
                    Props.named("waitForResponse", FormTrigger.WAITS.defaultingTo(BooleanNode.TRUE))),
            true,
            TriggerSpec.Strategy.WEBHOOK,
            Json.object(),
            TriggerSpec.TestStrategy.SIMULATION);

    @Override
    public TriggerSpec spec() {
        return SPEC;
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        return Future.succeededFuture(List.of(context.payload().path("body")));
    }
}
