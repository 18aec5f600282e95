package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.base.core.Json;
import java.util.Locale;

/** Fields of records in the forms that interfaces of applications expect. */
final class AppFields {
    private AppFields() {}

    /** Columns of a resource mapper, or the complete item. */
    static JsonNode columns(NodeContext context) {
        var columns = context.node().parameter("columns");
        var given = columns.path("value");
        if (columns.path("mappingMode").asText("").equals("defineBelow") && given.isObject()) {
            var fields = Json.object();
            given.properties().forEach(field -> {
                if (!field.getKey().equals("id") && !field.getValue().isNull()) {
                    fields.set(field.getKey(), context.parameters().value(field.getValue()));
                }
            });
            return fields;
        }
        return TextNode.valueOf(NodeContext.token(context.input().item()));
    }

    /** The parameters of a HubSpot object under their names in its interface. */
    static JsonNode additional(NodeContext context) {
        var fields = Json.object();
        for (var holder : new String[] {"additionalFields", "updateFields"}) {
            context.node().parameter(holder).properties().forEach(field -> {
                if (field.getValue().isValueNode() && !field.getKey().equals("associatedCompany")) {
                    fields.set(
                            field.getKey().toLowerCase(Locale.ROOT),
                            context.parameters().value(field.getValue()));
                }
            });
        }
        put(context, fields, "email", "email");
        put(context, fields, "dealname", "additionalFields.dealName");
        put(context, fields, "dealstage", "stage");
        put(context, fields, "name", "name");
        put(context, fields, "subject", "ticketName");
        return fields;
    }

    private static void put(NodeContext context, ObjectNode fields, String name, String parameter) {
        var raw = AppNodes.parameter(context, parameter);
        if (raw.isValueNode() && !raw.isMissingNode()) {
            fields.set(name, context.parameters().value(raw));
        }
    }

    static JsonNode notion(NodeContext context) {
        var properties = Json.object();
        var node = context.node();
        if (!node.text("title").isEmpty()) {
            properties.set("title", texts("title", context.parameters().value("title")));
        }
        for (var entry : node.parameter("propertiesUi.propertyValues")) {
            var key = entry.path("key").asText("");
            var at = key.lastIndexOf('|');
            if (at > 0) {
                properties.set(key.substring(0, at), property(context, key.substring(at + 1), entry));
            }
        }
        return properties;
    }

    private static JsonNode property(NodeContext context, String type, JsonNode entry) {
        var property = Json.object();
        switch (type) {
            case "title" -> property.setAll(texts("title", context.parameters().value(entry.path("title"))));
            case "rich_text" ->
                property.setAll(texts("rich_text", context.parameters().value(entry.path("textContent"))));
            case "number" -> property.set("number", context.parameters().value(entry.path("numberValue")));
            case "checkbox" -> property.set("checkbox", context.parameters().value(entry.path("checkboxValue")));
            case "url" -> property.set("url", context.parameters().value(entry.path("urlValue")));
            case "email" -> property.set("email", context.parameters().value(entry.path("emailValue")));
            case "phone_number" ->
                property.set("phone_number", context.parameters().value(entry.path("phoneValue")));
            case "select", "status" ->
                property.putObject(type).set("name", context.parameters().value(entry.path(type + "Value")));
            case "date" ->
                property.putObject("date").set("start", context.parameters().value(entry.path("date")));
            case "multi_select" -> {
                var list = property.putArray(type);
                for (var value : entry.path("multiSelectValue")) {
                    list.addObject().set("name", context.parameters().value(value));
                }
            }
            case "relation" -> {
                var list = property.putArray(type);
                for (var value : entry.path("relationValue")) {
                    list.addObject().set("id", context.parameters().value(value));
                }
            }
            default -> context.entry().byHand("a property of the type " + type + " of Notion has no equivalent");
        }
        return property;
    }

    private static ObjectNode texts(String name, JsonNode content) {
        var texts = Json.object();
        texts.putArray(name).addObject().putObject("text").set("content", content);
        return texts;
    }

    static JsonNode notionBlocks(NodeContext context) {
        var blocks = Json.array();
        for (var entry : context.node().parameter("blockUi.blockValues")) {
            var type = entry.path("type").asText("paragraph");
            var block = blocks.addObject().put("object", "block").put("type", type);
            block.set(type, texts("rich_text", context.parameters().value(entry.path("textContent"))));
        }
        return blocks;
    }

    static JsonNode base64(NodeContext context, String parameter) {
        var raw = context.node().parameter(parameter).asText("");
        var script = raw.startsWith("=") ? raw : "={{ " + ScriptTexts.quoted(raw) + " }}";
        return context.parameters()
                .value(TextNode.valueOf(script.replaceFirst("(?s)^=\\{\\{(.*)\\}\\}$", "={{ ($1).base64Encode() }}")));
    }
}
