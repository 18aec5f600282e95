package console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The types of the API in TypeScript, from the OpenAPI document: one for each schema, and one table of operations whose
 * keys are {@code METHOD path}. There are no values in it, so it costs the browser nothing.
 */
final class ApiTypes {
    private static final List<String> METHODS = List.of("get", "post", "put", "patch", "delete");

    private final JsonNode document;
    private final SchemaTypes types = new SchemaTypes();

    ApiTypes(Path directory) throws IOException {
        var yaml = new ObjectMapper(new YAMLFactory());
        var whole = new ObjectMapper().createObjectNode();
        for (var name : Files.readAllLines(directory.resolve("index"))) {
            if (!name.isBlank() && !name.equals("example.yaml")) {
                merge(whole, yaml.readTree(directory.resolve(name).toFile()));
            }
        }
        document = whole;
    }

    private static void merge(ObjectNode into, JsonNode from) {
        for (Map.Entry<String, JsonNode> field : from.properties()) {
            if (field.getValue().isObject() && into.get(field.getKey()) instanceof ObjectNode known) {
                merge(known, field.getValue());
            } else {
                into.set(field.getKey(), field.getValue());
            }
        }
    }

    String text() {
        var text = new StringBuilder("/* Generated from src/main/resources/openapi. */\n");
        for (var schema : document.path("components").path("schemas").properties()) {
            text.append("export type ")
                    .append(schema.getKey())
                    .append(" = ")
                    .append(types.of(schema.getValue()))
                    .append(";\n");
        }
        text.append("\nexport interface Operations {\n");
        for (var path : document.path("paths").properties()) {
            for (var method : METHODS) {
                if (path.getValue().has(method)) {
                    text.append(operation(method, path.getKey(), path.getValue(), path.getValue().path(method)));
                }
            }
        }
        return text.append("}\n").toString();
    }

    private String operation(String method, String path, JsonNode shared, JsonNode operation) {
        return "  /** %s */\n  '%s %s': { path: %s; query: %s; body: %s; answer: %s };\n"
                .formatted(
                        operation.path("summary").asText().replace("*/", ""),
                        method.toUpperCase(java.util.Locale.ROOT),
                        path,
                        parameters("path", shared, operation),
                        parameters("query", shared, operation),
                        body(operation),
                        answer(operation));
    }

    private String parameters(String place, JsonNode shared, JsonNode operation) {
        var fields = new ArrayList<String>();
        for (var source : List.of(shared.path("parameters"), operation.path("parameters"))) {
            for (var each : source) {
                var parameter = resolved(each);
                if (parameter.path("in").asText().equals(place)) {
                    fields.add("'%s'%s: %s"
                            .formatted(
                                    parameter.path("name").asText(),
                                    parameter.path("required").asBoolean() ? "" : "?",
                                    types.of(parameter.path("schema"))));
                }
            }
        }
        return fields.isEmpty() ? "{}" : "{ " + String.join("; ", fields) + " }";
    }

    private String body(JsonNode operation) {
        var content = resolved(operation.path("requestBody")).path("content");
        if (content.isMissingNode() || content.isEmpty()) {
            return "undefined";
        }
        var json = content.path("application/json");
        return json.isMissingNode() ? "FormData | string" : types.of(json.path("schema"))
                + (content.has("multipart/form-data") ? " | FormData" : "");
    }

    private String answer(JsonNode operation) {
        var answers = new ArrayList<String>();
        for (var response : operation.path("responses").properties()) {
            if (response.getKey().startsWith("2")) {
                var json = resolved(response.getValue()).path("content").path("application/json");
                answers.add(json.isMissingNode() ? "undefined" : types.of(json.path("schema")));
            }
        }
        return answers.isEmpty() ? "undefined" : answers.stream().distinct().collect(Collectors.joining(" | "));
    }

    private JsonNode resolved(JsonNode node) {
        var reference = node.path("$ref").asText("");
        return reference.isEmpty() ? node : resolved(document.at(reference.substring(1)));
    }
}
