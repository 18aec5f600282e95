package io.millrace.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.http.document.ApiDocument;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.Validator;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The API document for tests: finds operations, resolves references, and validates values against schemas. */
public final class ApiContract {
    private static final String SCHEMAS = "#/components/schemas/";
    private static final String DEFINITIONS = "#/$defs/";
    private static final String BASE = "https://millrace.example/";

    /** Annotations for readers and generators; examples would be searched for references. */
    private static final Set<String> NOT_JUDGED = Set.of("examples", "discriminator");

    private final ObjectNode document;
    private final ObjectNode definitions;
    private final Map<String, Validator> validators = new ConcurrentHashMap<>();

    private ApiContract(ObjectNode document) {
        this.document = document;
        this.definitions = (ObjectNode) judged(document.at("/components/schemas"));
    }

    /** The document of this build, parsed once. */
    public static ApiContract ofThisBuild() {
        return One.CONTRACT;
    }

    public ObjectNode document() {
        return document;
    }

    /** An operation, with its path as written in the document. */
    public record Operation(String method, String path, JsonNode node) {}

    /** The operation that serves a request; paths are relative to {@code /api}. */
    public Optional<Operation> operation(String method, String path) {
        return document.path("paths").properties().stream()
                .filter(entry -> matches(entry.getKey(), path))
                .sorted((one, other) -> Integer.compare(parameters(one.getKey()), parameters(other.getKey())))
                .flatMap(entry -> of(method, entry.getKey(), entry.getValue()).stream())
                .findFirst();
    }

    private static Optional<Operation> of(String method, String path, JsonNode item) {
        var name = item.path("x-any-method").asBoolean() ? "post" : method.toLowerCase(java.util.Locale.ROOT);
        return item.has(name) ? Optional.of(new Operation(name, path, item.get(name))) : Optional.empty();
    }

    private static boolean matches(String template, String path) {
        var wanted = template.split("/", -1);
        var found = path.split("/", -1);
        if (wanted.length != found.length) {
            return false;
        }
        for (var index = 0; index < wanted.length; index++) {
            if (!wanted[index].startsWith("{") && !wanted[index].equals(found[index])) {
                return false;
            }
        }
        return true;
    }

    private static int parameters(String template) {
        return (int) template.chars().filter(character -> character == '{').count();
    }

    /** The response that an operation documents for a status. */
    public Optional<JsonNode> answer(Operation operation, int status) {
        var answers = operation.node().path("responses");
        var exact = answers.path(String.valueOf(status));
        var found = exact.isMissingNode() ? answers.path("default") : exact;
        return found.isMissingNode() ? Optional.empty() : Optional.of(resolved(found));
    }

    /** A node, or the target of its reference. */
    public JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    /** Violations of a schema by a value; empty when the value is valid. */
    public List<String> objections(JsonNode schema, JsonNode value) {
        var validator = validators.computeIfAbsent(Json.text(schema), _ -> validator(schema));
        var result = validator.validate(plain(value));
        return result.getValid()
                ? List.of()
                : result.getErrors().stream()
                        .map(unit -> unit.getInstanceLocation() + " " + unit.getError())
                        .toList();
    }

    private Validator validator(JsonNode schema) {
        var root = Json.object();
        var wanted = judged(schema);
        root.set("$defs", reachable(wanted));
        root.putArray("allOf").add(wanted);
        var options = new JsonSchemaOptions()
                .setDraft(Draft.DRAFT202012)
                .setBaseUri(BASE)
                .setOutputFormat(OutputFormat.Basic);
        return Validator.create(JsonSchema.of(new JsonObject(Json.text(root))), options);
    }

    /** Definitions reachable from a schema: a validator keeps a copy of its input for as long as tests run. */
    private ObjectNode reachable(JsonNode schema) {
        var found = Json.object();
        var waiting = new ArrayDeque<JsonNode>(List.of(schema));
        while (!waiting.isEmpty()) {
            for (var reference : waiting.pop().findValuesAsText("$ref")) {
                var name = reference.substring(DEFINITIONS.length());
                if (!found.has(name)) {
                    found.set(name, definitions.get(name));
                    waiting.push(definitions.get(name));
                }
            }
        }
        return found;
    }

    private static Object plain(JsonNode value) {
        return io.vertx.core.json.Json.decodeValue(Json.text(value));
    }

    /** Equivalent copy of a schema without references to the document. */
    private static JsonNode judged(JsonNode schema) {
        return switch (schema) {
            case ObjectNode object -> {
                var copy = Json.object();
                object.properties().stream()
                        .filter(entry -> !NOT_JUDGED.contains(entry.getKey()))
                        .forEach(entry -> copy.set(entry.getKey(), judged(entry.getValue())));
                yield copy;
            }
            case ArrayNode array -> {
                var copy = Json.array();
                array.forEach(item -> copy.add(judged(item)));
                yield copy;
            }
            default ->
                schema.isTextual() && schema.textValue().startsWith(SCHEMAS)
                        ? copyOf(schema.textValue().replace(SCHEMAS, DEFINITIONS))
                        : schema;
        };
    }

    private static JsonNode copyOf(String text) {
        return Json.array().add(text).get(0);
    }

    /** Names of the operations, for messages. */
    @Override
    public String toString() {
        return document.path("paths").properties().stream()
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(" "));
    }

    /** Lazily parsed document. */
    private static final class One {
        static final ApiContract CONTRACT = new ApiContract(ApiDocument.load());
    }
}
