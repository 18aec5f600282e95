package io.millrace.piece.builtin.ai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.model.ModelDrawing;
import io.millrace.piece.model.ModelSelector;
import io.millrace.piece.model.ModelSpender;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;

/** Generates an image and stores it as a file. */
record GenerateImage(Models models) implements Action {
    static final String NAME = "generateImage";

    private static final ActionSpec SPEC = ModelProps.spec(
            NAME,
            "Generate Image",
            "Generates an image and returns its URL.",
            Props.of(
                    ModelProps.PROVIDER_PROP,
                    ModelProps.MODEL_PROP,
                    Props.named("prompt", Props.longText("Prompt", true)),
                    Props.named(
                            "inputImages",
                            Props.list("Input Images", false)
                                    .withItems(Props.of(Props.named("file", Props.file("Image", true))))),
                    Props.named("advancedOptions", Props.object("Advanced Options", false))));

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        var props = context.props();
        var selector = ModelSelector.of(
                props.path(ModelProps.PROVIDER), props.path(ModelProps.MODEL).asText(""));
        var options = props.path("advancedOptions") instanceof ObjectNode given ? given : Json.object();
        var wanted = new ModelDrawing(
                ModelProps.text(props, "prompt"), ModelProps.files(props, "inputImages", "file"), options);
        return models.choose(context.projectId(), selector)
                .compose(choice -> models.chargedTo(ModelSpender.ofFlow(context.flowId()))
                        .draw(context.projectId(), choice, wanted, context.remainingMs()))
                .recover(ModelProps::failed)
                .compose(image -> context.writeFile("image.png", image.data()))
                .map(TextNode::valueOf);
    }
}
