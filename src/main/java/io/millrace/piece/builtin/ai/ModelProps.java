package io.millrace.piece.builtin.ai;

import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.input.FileNames;
import io.millrace.piece.input.FileValue;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.ModelFile;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelSelector;
import io.millrace.piece.model.ModelSpender;
import io.millrace.piece.model.Models;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class ModelProps {
    static final String PROVIDER = "provider";
    static final String MODEL = "model";

    private static final int OUTPUT_TOKENS = 2_000;
    private static final int OUTPUT_TOKENS_MAX = 1_000_000;

    static final Props.NamedProperty PROVIDER_PROP = Props.named(
            PROVIDER, Property.of(PropertyType.DROPDOWN, "Provider", true).describedAs("Provider of the models."));

    static final Props.NamedProperty MODEL_PROP =
            Props.named(MODEL, Property.of(PropertyType.DROPDOWN, "Model", true).refreshedBy(List.of(PROVIDER)));

    static final Props.NamedProperty OUTPUT_PROP = Props.named(
            "maxOutputTokens",
            Props.number("Max Tokens", false)
                    .describedAs("Maximum length of the answer in tokens.")
                    .defaultingTo(IntNode.valueOf(OUTPUT_TOKENS)));

    private ModelProps() {}

    /** Spec of an action that calls an external service: editors show the options for failures. */
    static ActionSpec spec(String name, String displayName, String description, Map<String, Property> props) {
        return new ActionSpec(name, displayName, description, props, false, true, false);
    }

    static int outputTokens(ObjectNode props) {
        var wanted = props.path("maxOutputTokens");
        return wanted.isNumber() ? Math.clamp(wanted.asLong(), 1, OUTPUT_TOKENS_MAX) : OUTPUT_TOKENS;
    }

    static String text(ObjectNode props, String name) {
        var text = props.path(name).asText("");
        if (text.isBlank()) {
            throw PieceFailure.of(name + ": expected a text, found none");
        }
        return text;
    }

    static List<ModelFile> files(ObjectNode props, String list, String name) {
        var files = new ArrayList<ModelFile>();
        for (var entry : props.path(list)) {
            FileValue.of(entry.path(name))
                    .map(file -> new ModelFile(FileNames.mediaTypeOf(file.fileName()), file.data()))
                    .ifPresent(files::add);
        }
        return files;
    }

    /** The call is limited by the remaining run time; a failure of the model fails the step. */
    static Future<ModelResponse> ask(Models models, StepContext context, ModelRequest request) {
        var props = context.props();
        var selector = ModelSelector.of(props.path(PROVIDER), props.path(MODEL).asText(""));
        return models.choose(context.projectId(), selector)
                .compose(choice -> models.chargedTo(ModelSpender.ofFlow(context.flowId()))
                        .ask(context.projectId(), choice, request, context.remainingMs()))
                .recover(ModelProps::failed)
                .compose(answer -> answer.ending() == ModelResponse.Ending.REFUSED
                        ? Future.failedFuture(PieceFailure.of("The model refused: " + answer.text()))
                        : Future.succeededFuture(answer));
    }

    static <T> Future<T> failed(Throwable failure) {
        return Future.failedFuture(failure instanceof ModelFailure told ? PieceFailure.of(told.getMessage()) : failure);
    }
}
