package io.millrace.piece.builtin.ai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;

record ClassifyText(Models models) implements Action {
    private static final int OUTPUT_TOKENS = 2_000;

    private static final ActionSpec SPEC = ModelProps.spec(
            "classifyText",
            "Classify Text",
            "Classifies a text into one of your categories.",
            Props.of(
                    ModelProps.PROVIDER_PROP,
                    ModelProps.MODEL_PROP,
                    Props.named("text", Props.longText("Text to Classify", true)),
                    Props.named(
                            "categories",
                            Props.list("Categories", true).describedAs("The categories to choose from."))));

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        var props = context.props();
        var categories = props.path("categories")
                .valueStream()
                .map(JsonNode::asText)
                .filter(category -> !category.isBlank())
                .toList();
        if (categories.isEmpty()) {
            return Future.failedFuture(PieceFailure.of("categories: expected at least one, found none"));
        }
        var system = "You classify texts. Answer with exactly one of these categories and nothing else: "
                + String.join(", ", categories);
        var message = new ModelMessage.UserMessage(ModelProps.text(props, "text"));
        return ModelProps.ask(models, context, ModelRequest.of(system, message, OUTPUT_TOKENS))
                .compose(answer -> {
                    var category = answer.text().strip();
                    return categories.contains(category)
                            ? Future.succeededFuture(TextNode.valueOf(category))
                            : Future.failedFuture(PieceFailure.of(
                                    "The model could not classify the text into one of the categories: " + category));
                });
    }
}
