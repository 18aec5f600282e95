package io.millrace.base.http.document;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.http.page.Html;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

final class SchemaHtml {
    private static final String SCHEMAS = "#/components/schemas/";

    /** Objects inside objects are shown in the same table down to here. */
    private static final int NESTING_SHOWN_MAX = 3;

    private SchemaHtml() {}

    static String page(String name) {
        return "/api/v1/docs/schemas/" + name;
    }

    static String type(JsonNode schema) {
        if (schema.has("$ref")) {
            return reference(schema.path("$ref").asText());
        }
        if (schema.has("const")) {
            return Html.code(Json.text(schema.get("const")));
        }
        if (schema.has("enum")) {
            return each(schema.get("enum"), " | ", word -> Html.code(word.asText()));
        }
        var shared = each(schema.path("allOf"), "", SchemaHtml::partOfAll);
        for (var choice : List.of("oneOf", "anyOf")) {
            if (schema.has(choice)) {
                return (shared.isEmpty() ? "" : shared + ", and ") + each(schema.get(choice), " or ", SchemaHtml::type);
            }
        }
        if (!shared.isEmpty()) {
            return shared;
        }
        var names = schema.path("type").isArray()
                ? words(schema.get("type"))
                : List.of(schema.path("type").asText("any"));
        return names.stream().map(name -> named(name, schema)).collect(Collectors.joining(" or "));
    }

    private static String named(String name, JsonNode schema) {
        return switch (name) {
            case "array" -> "array of " + (schema.has("items") ? type(schema.get("items")) : "any");
            case "object" ->
                schema.path("additionalProperties").isObject()
                        ? "map of " + type(schema.get("additionalProperties"))
                        : "object";
            default -> Html.escape(name);
        };
    }

    /** Page of rows: the only schema that other schemas restrict, by its items. */
    private static String partOfAll(JsonNode part) {
        if (part.has("$ref")) {
            return type(part);
        }
        var items = part.path("properties").path("data").path("items");
        return items.isMissingNode() ? "" : " of " + type(items);
    }

    private static String reference(String reference) {
        var name = reference.substring(reference.lastIndexOf('/') + 1);
        return reference.startsWith(SCHEMAS)
                ? "<a href=\"" + page(name) + "\">" + Html.escape(name) + "</a>"
                : Html.escape(name);
    }

    static String properties(JsonNode schema) {
        var rows = new ArrayList<String>();
        collect("", schema, rows, 0);
        return rows.isEmpty()
                ? ""
                : "<table><thead><tr><th>Field<th>Type<th>Meaning</thead><tbody>\n" + String.join("\n", rows)
                        + "\n</tbody></table>\n";
    }

    private static void collect(String prefix, JsonNode schema, List<String> rows, int nesting) {
        schema.path("allOf").forEach(part -> collect(prefix, part, rows, nesting));
        var required = words(schema.path("required"));
        for (var property : schema.path("properties").properties()) {
            var name = prefix + property.getKey();
            var value = property.getValue();
            rows.add("<tr><td>" + Html.code(name) + (required.contains(property.getKey()) ? "<b>*</b>" : "") + "<td>"
                    + type(value) + limits(value) + "<td>"
                    + Html.inline(value.path("description").asText("")));
            if (nesting < NESTING_SHOWN_MAX) {
                collect(name + ".", value, rows, nesting + 1);
                collect(name + "[].", value.path("items"), rows, nesting + 1);
            }
        }
    }

    private static String limits(JsonNode schema) {
        var limits = new ArrayList<String>();
        for (var keyword : List.of("pattern", "format", "minLength", "maxLength", "minimum", "default")) {
            if (schema.has(keyword)) {
                limits.add(keyword + " " + Html.code(schema.get(keyword).asText()));
            }
        }
        return limits.isEmpty() ? "" : "<br><small>" + String.join(", ", limits) + "</small>";
    }

    static String example(JsonNode example) {
        return example.isMissingNode()
                ? ""
                : "<details><summary>Example</summary><pre>" + Html.escape(Json.pretty(example)) + "</pre></details>\n";
    }

    private static String each(JsonNode list, String between, java.util.function.Function<JsonNode, String> text) {
        return StreamSupport.stream(list.spliterator(), false).map(text).collect(Collectors.joining(between));
    }

    private static List<String> words(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
