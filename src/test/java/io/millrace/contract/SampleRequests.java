package io.millrace.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.Routes.MountedRoute;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiContract;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Requests that the API document allows, for rows of a tenant. A body is the document's own example if it has one, else
 * the smallest value of the schema.
 */
final class SampleRequests {
    private static final String JSON = "application/json";

    private final ApiContract contract;

    SampleRequests(ApiContract contract) {
        this.contract = contract;
    }

    /** The method of a route. */
    static String methodOf(MountedRoute route) {
        return route.method().equals("*") ? "POST" : route.method();
    }

    /** The same client for the base path of the route: some are at the root of the host only. */
    static ApiClient at(MountedRoute route, ApiClient api) {
        return route.atRoot() ? api.atRoot() : api;
    }

    private static String templateOf(MountedRoute route) {
        return route.path().replaceAll(":([a-zA-Z]+)", "{$1}");
    }

    /** Operation of a route in the API document. */
    JsonNode operationOf(MountedRoute route) {
        return contract.operation(methodOf(route), templateOf(route))
                .orElseThrow()
                .node();
    }

    /** The path of a route without its query. */
    String path(MountedRoute route, Tenant tenant) {
        var template = templateOf(route);
        return template.replace("{id}", tenant.rowOf(template))
                .replace("{projectId}", tenant.projectId())
                .replaceAll("\\{[a-zA-Z]+}", Ids.next());
    }

    /** The required query parameters of a route. */
    String query(MountedRoute route, Tenant tenant) {
        var query = new StringBuilder();
        for (var parameter : operationOf(route).path("parameters")) {
            var resolved = contract.resolved(parameter);
            if (resolved.path("in").asText().equals("query")
                    && resolved.path("required").asBoolean()) {
                var name = resolved.path("name").asText();
                var options = contract.resolved(resolved.path("schema")).path("enum");
                var sample = resolved.path("example").asText(options.path(0).asText("word"));
                var value = tenant.named(Json.object().put(name, sample));
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(value.path(name).asText());
            }
        }
        return query.toString();
    }

    /** A body for a route; empty if it accepts no JSON. */
    Optional<JsonNode> body(MountedRoute route, Tenant tenant) {
        return bodies(route, tenant).stream().findFirst();
    }

    /**
     * Every body that the document shows for a route, one of each kind that it accepts; empty if it accepts no JSON.
     */
    List<JsonNode> bodies(MountedRoute route, Tenant tenant) {
        return content(operationOf(route)).stream()
                .flatMap(content -> {
                    var shown = examples(content);
                    return shown.isEmpty() ? Stream.of(of(schema(content), JSON)) : shown.stream();
                })
                .map(tenant::named)
                .toList();
    }

    /** The schema of an operation's JSON body; empty without one. */
    Optional<JsonNode> schemaOf(JsonNode operation) {
        return content(operation).map(this::schema);
    }

    private Optional<JsonNode> content(JsonNode operation) {
        var body = contract.resolved(operation.path("requestBody")).path("content");
        return body.has(JSON) ? Optional.of(body.path(JSON)) : Optional.empty();
    }

    private JsonNode schema(JsonNode content) {
        return contract.resolved(content.path("schema"));
    }

    private List<JsonNode> examples(JsonNode content) {
        if (content.has("example")) {
            return List.of(content.path("example").deepCopy());
        }
        var named = content.path("examples");
        if (!named.isEmpty()) {
            return named.valueStream()
                    .map(example -> contract.resolved(example).path("value").<JsonNode>deepCopy())
                    .toList();
        }
        var schema = schema(content);
        var own = schema.path("examples");
        var kinds = schema.has("oneOf") ? schema.path("oneOf") : schema.path("anyOf");
        return own.isEmpty()
                ? kinds.valueStream()
                        .flatMap(
                                kind -> contract.resolved(kind).path("examples").valueStream())
                        .<JsonNode>map(JsonNode::deepCopy)
                        .toList()
                : own.valueStream().<JsonNode>map(JsonNode::deepCopy).toList();
    }

    /** The smallest value of a schema, by its own keywords. */
    private JsonNode of(JsonNode reference, String name) {
        var schema = contract.resolved(reference);
        if (schema.has("examples")) {
            return schema.path("examples").path(0).deepCopy();
        }
        if (schema.has("const")) {
            return schema.path("const");
        }
        if (schema.has("enum")) {
            return schema.path("enum").path(0);
        }
        for (var choice : new String[] {"oneOf", "anyOf"}) {
            if (schema.has(choice)) {
                return of(schema.path(choice).path(0), name);
            }
        }
        var type = schema.path("type").isArray() ? schema.path("type").path(0) : schema.path("type");
        return switch (type.asText(schema.has("properties") || schema.has("allOf") ? "object" : "")) {
            case "object" -> object(schema);
            case "array" ->
                schema.path("minItems").asInt(0) == 0
                        ? Json.array()
                        : Json.array().add(of(schema.path("items"), name));
            case "integer", "number" ->
                JsonNodeFactory.instance.numberNode(schema.path("minimum").asInt(1));
            case "boolean" -> JsonNodeFactory.instance.booleanNode(true);
            default -> JsonNodeFactory.instance.textNode(text(schema, name));
        };
    }

    private ObjectNode object(JsonNode schema) {
        var object = Json.object();
        schema.path("allOf").forEach(part -> object.setAll((ObjectNode) of(part, "")));
        schema.path("required")
                .forEach(field ->
                        object.set(field.asText(), of(schema.path("properties").path(field.asText()), field.asText())));
        return object;
    }

    private static String text(JsonNode schema, String name) {
        if (schema.path("format").asText().equals("email")) {
            return "somebody@example.com";
        }
        return name.endsWith("Id") || schema.path("pattern").asText().equals(Ids.PATTERN.pattern())
                ? Ids.next()
                : "word";
    }
}
