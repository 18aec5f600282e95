package io.millrace.piece.builtin.ai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;

record SummarizeText(Models models) implements Action {
    private static final ActionSpec SPEC = ModelProps.spec(
            "summarizeText",
            "Summarize Text",
            "Shortens a text.",
            Props.of(
                    ModelProps.PROVIDER_PROP,
                    ModelProps.MODEL_PROP,
                    Props.named("text", Props.longText("Text", true)),
                    Props.named(
                            "prompt",
                            Props.shortText("Prompt", true)
                                    .defaultingTo(
                                            TextNode.valueOf(
                                                    "Summarize the following text clearly and concisely, and keep what matters."))),
                    ModelProps.OUTPUT_PROP));

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        var props = context.props();
        var message = new ModelMessage.UserMessage(
                ModelProps.text(props, "prompt") + "\n\n" + ModelProps.text(props, "text"));
        return ModelProps.ask(models, context, ModelRequest.of("", message, ModelProps.outputTokens(props)))
                .map(answer -> TextNode.valueOf(answer.text()));
    }
}
