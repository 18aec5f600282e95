package io.millrace.piece.builtin.ai;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelTool;
import io.millrace.piece.model.Models;
import io.millrace.piece.model.StructuredAnswer;
import io.millrace.piece.model.ToolSchema;
import io.millrace.piece.model.UnusableSchema;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.Map;

/** Extracts values from a text, an image or a document: the model must call one tool with them. */
record ExtractData(Models models) implements Action {
    private static final String TOOL = "extract_data";

    private static final Props.NamedProperty MODE = Props.named(
            "mode",
            Props.choice("Data Definition", true, "Simple", "simple", "Advanced", "advanced")
                    .defaultingTo(TextNode.valueOf("simple")));

    private static final ActionSpec SPEC = ModelProps.spec(
            "extractStructuredData",
            "Extract Structured Data",
            "Extracts values from a text, an image or a PDF.",
            Props.of(
                    ModelProps.PROVIDER_PROP,
                    ModelProps.MODEL_PROP,
                    Props.named("text", Props.longText("Text", false)),
                    Props.named(
                            "files",
                            Props.list("Files", false)
                                    .withItems(Props.of(Props.named("file", Props.file("Image or PDF", true))))),
                    Props.named(
                            "prompt",
                            Props.longText("Guide Prompt", false)
                                    .defaultingTo(
                                            TextNode.valueOf("Extract the following data from the given content."))),
                    MODE,
                    Props.named(
                            "schema",
                            Property.of(PropertyType.DYNAMIC, "Data Definition", true)
                                    .refreshedBy(java.util.List.of("mode"), ExtractData::schemaFor)),
                    ModelProps.OUTPUT_PROP));

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    private static Map<String, Property> schemaFor(ObjectNode input) {
        var advanced = input.path("mode").asText("").equals("advanced");
        return Map.of(
                "fields",
                advanced
                        ? Props.json("JSON Schema", true)
                        : Props.list("Data Definition", true)
                                .withItems(Props.of(
                                        Props.named("name", Props.shortText("Name", true)),
                                        Props.named("description", Props.longText("Description", false)),
                                        Props.named(
                                                "type",
                                                Props.choice(
                                                        "Data Type",
                                                        true,
                                                        "Text",
                                                        "string",
                                                        "Number",
                                                        "number",
                                                        "Boolean",
                                                        "boolean")),
                                        Props.named("isRequired", Props.checkbox("Fail if Not Present", true)))));
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        var props = context.props();
        var text = props.path("text").asText("");
        var files = ModelProps.files(props, "files", "file");
        if (text.isBlank() && files.isEmpty()) {
            return Future.failedFuture(PieceFailure.of("Expected a text or files to extract from, found neither"));
        }
        var schema = schema(props);
        var tool = new ModelTool(TOOL, "Receives the extracted data.", schema.schema());
        var guide = props.path("prompt").asText("Extract the following data from the given content.");
        var message = new ModelMessage.UserMessage(guide + (text.isBlank() ? "" : "\n\n" + text), files);
        var request =
                ModelRequest.of("", message, ModelProps.outputTokens(props)).forcing(tool);
        return StructuredAnswer.ask(request, TOOL, schema, question -> ModelProps.ask(models, context, question))
                .<JsonNode>map(data -> data)
                .recover(failure -> Future.failedFuture(
                        failure instanceof StructuredAnswer.Misfit misfit
                                ? PieceFailure.of(
                                        "No structured data was returned by the model: " + misfit.getMessage())
                                : failure));
    }

    private static ToolSchema schema(ObjectNode props) {
        try {
            return ToolSchema.of(wanted(props));
        } catch (UnusableSchema refused) {
            throw PieceFailure.of("schema: expected a JSON Schema of an object; " + refused.getMessage());
        }
    }

    private static JsonNode wanted(ObjectNode props) {
        var fields = props.path("schema").path("fields");
        if (props.path("mode").asText("simple").equals("advanced")) {
            if (!fields.isObject() || fields.isEmpty()) {
                throw PieceFailure.of("schema: expected a JSON Schema of an object");
            }
            return fields;
        }
        var schema = Json.object().put("type", "object");
        var properties = schema.putObject("properties");
        var required = schema.putArray("required");
        for (var field : fields) {
            var name = field.path("name").asText("");
            properties
                    .putObject(name)
                    .put("type", field.path("type").asText("string"))
                    .put("description", field.path("description").asText(""));
            if (field.path("isRequired").asBoolean(false)) {
                required.add(name);
            }
        }
        if (properties.isEmpty()) {
            throw PieceFailure.of("schema: expected at least one field, found none");
        }
        return schema;
    }
}
