package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.List;

/**
 * Starts a flow when an MCP client calls it as a tool; its item is the arguments of the call. The tool itself is made of
 * this trigger's input by the module that serves MCP.
 */
final class McpTool implements PieceTrigger {
    private static final TriggerSpec SPEC = new TriggerSpec(
            "mcp_tool",
            "MCP Tool",
            "Starts the flow when an AI client calls it as a tool.",
            Props.of(
                    Props.named(
                            "toolName",
                            Props.shortText("Name", true)
                                    .describedAs("Tool name for clients; the flow's id is appended.")),
                    Props.named(
                            "toolDescription",
                            Props.longText("Description", true)
                                    .describedAs("Description of the tool, by which models choose it.")),
                    Props.named("inputSchema", parameters()),
                    Props.named(
                            "returnsResponse",
                            Props.checkbox("Wait for Response", false)
                                    .describedAs("Waits for the step Reply to MCP Client, and returns its response.")
                                    .defaultingTo(BooleanNode.FALSE))),
            false,
            TriggerSpec.Strategy.WEBHOOK,
            NullNode.instance,
            TriggerSpec.TestStrategy.TEST_FUNCTION);

    private static Property parameters() {
        return Property.of(PropertyType.ARRAY, "Parameters", false)
                .describedAs("Parameters of the tool.")
                .withItems(Props.of(
                        Props.named("name", Props.shortText("Name", true)),
                        Props.named("description", Props.longText("Description", false)),
                        Props.named(
                                "type",
                                Props.choice(
                                                "Type", true, "Text", "Text", "Boolean", "Boolean", "Date", "Date",
                                                "Number", "Number", "Array", "Array", "Object", "Object")
                                        .defaultingTo(TextNode.valueOf("Text"))),
                        Props.named("required", Props.checkbox("Required", true).defaultingTo(BooleanNode.TRUE))));
    }

    @Override
    public TriggerSpec spec() {
        return SPEC;
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        var arguments = context.payload().path("body");
        return Future.succeededFuture(List.of(arguments.isObject() ? arguments : Json.object()));
    }

    /** Sample values for each parameter, so that later steps can be built before the first call. */
    @Override
    public Future<List<JsonNode>> test(TriggerContext context) {
        var item = Json.object();
        context.props().path("inputSchema").forEach(parameter -> sample(item, parameter));
        return Future.succeededFuture(List.of(item));
    }

    private static void sample(ObjectNode item, JsonNode parameter) {
        var name = parameter.path("name").asText();
        switch (parameter.path("type").asText("Text")) {
            case "Boolean" -> item.put(name, true);
            case "Number" -> item.put(name, 1);
            case "Date" -> item.put(name, "2026-01-01T00:00:00Z");
            case "Array" -> item.putArray(name);
            case "Object" -> item.putObject(name);
            default -> item.put(name, "Sample text");
        }
    }
}
