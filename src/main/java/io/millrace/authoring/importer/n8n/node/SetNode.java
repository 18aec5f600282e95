package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.authoring.importer.n8n.graph.WorkflowNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Edit Fields (Set), versions 1 to 3.4, as one code step over the items. */
final class SetNode implements NodeMapping {
    private static final Map<String, String> TYPES = Map.of(
            "stringValue",
            "string",
            "numberValue",
            "number",
            "booleanValue",
            "boolean",
            "arrayValue",
            "array",
            "objectValue",
            "object");
    private static final int FIRST_WITH_MODES = 3;

    @Override
    public Level level(WorkflowNode node) {
        return Level.LIST;
    }

    @Override
    public void translate(NodeContext context) {
        var node = context.node();
        if (node.parameter("duplicateItem").asBoolean(false)) {
            context.entry().byHand("the option Duplicate Item has no equivalent");
        }
        if (node.version() >= FIRST_WITH_MODES && node.text("mode").equals("raw")) {
            var json = context.parameters().script("jsonOutput");
            context.mapItems("({ ..." + base(context) + ", ...$as('object', " + json + ") })");
            return;
        }
        var statements = new StringBuilder("(() => { const out = " + base(context) + "; ");
        var usesDots = node.parameter("options.dotNotation").asBoolean(true);
        for (var field : fields(node)) {
            var name = context.parameters().script(field.name());
            var value = context.parameters().script(field.value());
            var typed = field.type().isEmpty() ? value : "$as('" + field.type() + "', " + value + ")";
            statements.append(
                    usesDots ? "$set(out, " + name + ", " + typed + "); " : "out[" + name + "] = " + typed + "; ");
        }
        context.mapItems(statements.append("return out; })()").toString());
    }

    private record Field(JsonNode name, JsonNode value, String type) {}

    private static List<Field> fields(WorkflowNode node) {
        var fields = new ArrayList<Field>();
        for (var entry : node.parameter("assignments.assignments")) {
            fields.add(new Field(
                    entry.path("name"),
                    entry.path("value"),
                    known(entry.path("type").asText(""))));
        }
        for (var entry : node.parameter("fields.values")) {
            var type = entry.path("type").asText("stringValue");
            fields.add(new Field(entry.path("name"), entry.path(type), TYPES.getOrDefault(type, "")));
        }
        for (var type : node.parameter("values").properties()) {
            for (var entry : type.getValue()) {
                fields.add(new Field(entry.path("name"), entry.path("value"), known(type.getKey())));
            }
        }
        return fields;
    }

    private static String known(String type) {
        return TYPES.containsValue(type) ? type : "";
    }

    /** The fields of the input that stay. */
    private static String base(NodeContext context) {
        var node = context.node();
        var keepsOthers = node.version() < FIRST_WITH_MODES
                ? !node.parameter("keepOnlySet").asBoolean(false)
                : node.parameter("includeOtherFields")
                        .asBoolean(node.version() < 3.3 && !node.text("include").equals("none"));
        if (!keepsOthers) {
            return "{}";
        }
        return switch (node.text("include")) {
            case "selected" -> "$pick($json, " + names(context, "includeFields") + ")";
            case "except" -> "$omit($json, " + names(context, "excludeFields") + ")";
            default -> "$copy($json)";
        };
    }

    private static String names(NodeContext context, String parameter) {
        var names = new ArrayList<String>();
        for (var name : context.node().text(parameter).split(",")) {
            if (!name.isBlank()) {
                names.add(ScriptTexts.quoted(name.strip()));
            }
        }
        return "[" + String.join(", ", names) + "]";
    }
}
