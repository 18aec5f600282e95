package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Gives the operations of a Swagger 2.0 document the form of OpenAPI 3: body and form parameters become a request body,
 * response schemas get a media type, hosts become servers. Definitions stay in their places, to which references point.
 */
final class SwaggerUpgrade {
    private static final Set<String> METHODS =
            Set.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

    private static final List<String> SCHEMA_KEYS = List.of(
            "type",
            "format",
            "items",
            "enum",
            "default",
            "maximum",
            "minimum",
            "maxLength",
            "minLength",
            "pattern",
            "maxItems",
            "minItems");

    private static final String URL_ENCODED = "application/x-www-form-urlencoded";
    private static final String MULTIPART = "multipart/form-data";
    private static final String JSON = "application/json";

    private final ObjectNode document;
    private final DocumentReferences references;

    private SwaggerUpgrade(ObjectNode document) {
        this.document = document;
        this.references = new DocumentReferences(document);
    }

    static ObjectNode upgraded(ObjectNode swagger) {
        return new SwaggerUpgrade(swagger.deepCopy()).upgraded();
    }

    private ObjectNode upgraded() {
        servers();
        security();
        document.path("paths").properties().forEach(path -> {
            if (references.resolve(path.getValue()) instanceof ObjectNode item) {
                var shared = item.remove("parameters") instanceof ArrayNode list ? list : Json.array();
                item.properties().forEach(entry -> {
                    if (METHODS.contains(entry.getKey().toLowerCase(Locale.ROOT))
                            && entry.getValue() instanceof ObjectNode operation) {
                        operation(operation, shared);
                    }
                });
            }
        });
        return document;
    }

    private void servers() {
        var host = document.path("host").asText("");
        var base = document.path("basePath").asText("");
        var schemes = document.path("schemes");
        var scheme = schemes.valueStream().anyMatch(one -> one.asText().equals("https")) || schemes.isEmpty()
                ? "https"
                : schemes.path(0).asText();
        var servers = document.putArray("servers");
        if (!host.isEmpty()) {
            servers.addObject().put("url", scheme + "://" + host + base);
        } else if (!base.isEmpty()) {
            servers.addObject().put("url", base);
        }
    }

    private void security() {
        var schemes = Json.object();
        document.path("securityDefinitions").properties().forEach(entry -> {
            var given = entry.getValue();
            if (!(given.deepCopy() instanceof ObjectNode scheme)) {
                return;
            }
            switch (given.path("type").asText()) {
                case "basic" -> scheme.put("type", "http").put("scheme", "basic");
                case "oauth2" -> {
                    var flow = scheme.putObject("flows")
                            .putObject(flowOf(given.path("flow").asText()));
                    for (var field : List.of("authorizationUrl", "tokenUrl", "scopes")) {
                        if (given.has(field)) {
                            flow.set(field, given.get(field));
                        }
                    }
                }
                default -> {
                    // apiKey has the same form in both versions.
                }
            }
            schemes.set(entry.getKey(), scheme);
        });
        document.withObjectProperty("components").set("securitySchemes", schemes);
    }

    private static String flowOf(String flow) {
        return switch (flow) {
            case "accessCode" -> "authorizationCode";
            case "application" -> "clientCredentials";
            default -> flow;
        };
    }

    private void operation(ObjectNode operation, ArrayNode shared) {
        var parameters = Json.array();
        var form = Json.object().put("type", "object");
        var formProperties = form.putObject("properties");
        var formRequired = form.putArray("required");
        var encoding = Json.object();
        var hasFile = new boolean[1];
        all(operation.path("parameters"), shared).forEach(given -> {
            var parameter = references.resolve(given);
            switch (parameter.path("in").asText()) {
                case "body" -> body(operation, parameter);
                case "formData" -> {
                    var name = parameter.path("name").asText();
                    hasFile[0] |= parameter.path("type").asText().equals("file");
                    formProperties.set(name, schema(parameter));
                    if (parameter.path("required").asBoolean()) {
                        formRequired.add(name);
                    }
                    var style = style(parameter);
                    if (!style.isEmpty()) {
                        encoding.set(name, style);
                    }
                }
                default -> parameters.add(parameter(parameter));
            }
        });
        operation.set("parameters", parameters);
        if (!formProperties.isEmpty()) {
            var isMultipart = hasFile[0] || consumes(operation).contains(MULTIPART);
            var content = operation
                    .putObject("requestBody")
                    .put("required", !formRequired.isEmpty())
                    .putObject("content");
            var media = content.putObject(isMultipart ? MULTIPART : URL_ENCODED);
            media.set("schema", form);
            media.set("encoding", encoding);
        }
        responses(operation);
    }

    /** The parameters of an operation replace those of its path with the same name and place. */
    private ArrayNode all(JsonNode own, ArrayNode shared) {
        var all = Json.array();
        shared.forEach(given -> {
            var parameter = references.resolve(given);
            var isReplaced = own.valueStream()
                    .map(references::resolve)
                    .anyMatch(other -> other.path("name").equals(parameter.path("name"))
                            && other.path("in").equals(parameter.path("in")));
            if (!isReplaced) {
                all.add(given);
            }
        });
        own.forEach(all::add);
        return all;
    }

    private void body(ObjectNode operation, JsonNode parameter) {
        var body = operation
                .putObject("requestBody")
                .put("required", parameter.path("required").asBoolean());
        if (parameter.path("description").isTextual()) {
            body.set("description", parameter.get("description"));
        }
        var types = consumes(operation);
        var content = body.putObject("content");
        (types.isEmpty() ? List.of(JSON) : types)
                .forEach(type -> content.putObject(type).set("schema", parameter.path("schema")));
    }

    private List<String> consumes(ObjectNode operation) {
        return types(operation.has("consumes") ? operation.path("consumes") : document.path("consumes"));
    }

    private static List<String> types(JsonNode list) {
        return list.valueStream()
                .map(JsonNode::asText)
                .filter(type -> !type.isEmpty())
                .toList();
    }

    private static ObjectNode parameter(JsonNode given) {
        var parameter = Json.object();
        for (var field : List.of("name", "in", "description", "required")) {
            if (given.has(field)) {
                parameter.set(field, given.get(field));
            }
        }
        parameter.set("schema", schema(given));
        parameter.setAll(style(given));
        return parameter;
    }

    private static ObjectNode schema(JsonNode parameter) {
        var schema = Json.object();
        for (var field : SCHEMA_KEYS) {
            if (parameter.has(field)) {
                schema.set(field, parameter.get(field));
            }
        }
        if (parameter.path("description").isTextual()) {
            schema.set("description", parameter.get("description"));
        }
        if (parameter.path("type").asText().equals("file")) {
            schema.put("type", "string").put("format", "binary");
        }
        return schema;
    }

    private static ObjectNode style(JsonNode parameter) {
        var style = Json.object();
        if (!parameter.path("type").asText().equals("array")) {
            return style;
        }
        return switch (parameter.path("collectionFormat").asText("csv")) {
            case "multi" -> style.put("style", "form").put("explode", true);
            case "ssv" -> style.put("style", "spaceDelimited").put("explode", false);
            case "pipes" -> style.put("style", "pipeDelimited").put("explode", false);
            default ->
                parameter.path("in").asText().equals("query")
                                || parameter.path("in").asText().equals("formData")
                        ? style.put("style", "form").put("explode", false)
                        : style.put("style", "simple").put("explode", false);
        };
    }

    private void responses(ObjectNode operation) {
        var produces = types(operation.has("produces") ? operation.path("produces") : document.path("produces"));
        var types = produces.isEmpty() ? List.of(JSON) : produces;
        operation.path("responses").properties().forEach(entry -> {
            if (references.resolve(entry.getValue()) instanceof ObjectNode response && response.has("schema")) {
                var content = response.putObject("content");
                types.forEach(type -> content.putObject(type).set("schema", response.path("schema")));
            }
        });
    }
}
