package io.millrace.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Ways to spoil one field of a body, derived from the schema of the body: every field at every depth of the body.
 *
 * <p>Whether null is one of them depends on the document: an optional field is not necessarily nullable (contract
 * admin-api 0).
 */
final class BodySpoilings {
    private static final int DEPTH_MAX = 5;
    private static final String NULL_ALLOWED = "null, which is allowed";

    private final ApiContract contract;

    BodySpoilings(ApiContract contract) {
        this.contract = contract;
    }

    /**
     * One way to spoil a body.
     *
     * @param path names and indexes that lead to the field
     * @param value new value; null removes the field
     * @param mustRefuse true if the document clearly forbids the value
     */
    record Spoiling(List<String> path, String how, JsonNode value, boolean mustRefuse) {
        /** True if the document allows this value, so that it is no fault. */
        boolean isAllowed() {
            return how.equals(NULL_ALLOWED);
        }

        /** Path of the field in messages. */
        String field() {
            return String.join("/", path);
        }

        /** A copy of the body with the field spoilt. */
        ObjectNode appliedTo(ObjectNode body) {
            var spoilt = body.deepCopy();
            JsonNode holder = spoilt;
            for (var step : path.subList(0, path.size() - 1)) {
                holder = child(holder, step);
            }
            var last = path.getLast();
            switch (holder) {
                case ObjectNode object when value == null -> object.remove(last);
                case ObjectNode object -> object.set(last, value);
                case ArrayNode array -> array.set(Integer.parseInt(last), value);
                default -> throw new IllegalStateException("nothing can be set in " + holder);
            }
            return spoilt;
        }

        @Override
        public String toString() {
            return field() + " " + how;
        }
    }

    private static JsonNode child(JsonNode holder, String step) {
        return holder.isArray() ? holder.path(Integer.parseInt(step)) : holder.path(step);
    }

    /** Every way to spoil a body, by the one of its possible schemas that it matches. */
    List<Spoiling> of(JsonNode schema, ObjectNode body) {
        var all = new ArrayList<Spoiling>();
        addFields(List.of(), schema, body, all);
        return all;
    }

    private void addFields(List<String> path, JsonNode reference, ObjectNode body, List<Spoiling> all) {
        var schema = contract.resolved(reference);
        schema.path("allOf").forEach(part -> addFields(path, part, body, all));
        for (var kind : List.of("oneOf", "anyOf")) {
            for (var choice : schema.path(kind)) {
                if (contract.objections(choice, body).isEmpty()) {
                    addFields(path, choice, body, all);
                }
            }
        }
        var required = new ArrayList<String>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        for (var property : schema.path("properties").properties()) {
            var field = with(path, property.getKey());
            if (required.contains(property.getKey())) {
                all.add(new Spoiling(field, "missing", null, true));
            }
            add(field, property.getValue(), body.path(property.getKey()), all);
        }
    }

    private void add(List<String> path, JsonNode reference, JsonNode present, List<Spoiling> all) {
        var isNullable = contract.objections(reference, NullNode.getInstance()).isEmpty();
        all.add(new Spoiling(path, isNullable ? NULL_ALLOWED : "null", NullNode.getInstance(), !isNullable));
        var schema = contract.resolved(reference);
        addWrongType(path, schema, all);
        addOutOfBounds(path, schema, all);
        if (path.size() < DEPTH_MAX && present instanceof ObjectNode inner) {
            addFields(path, schema, inner, all);
        }
        if (path.size() < DEPTH_MAX && present instanceof ArrayNode array && schema.has("items")) {
            for (var index = 0; index < Math.min(1, array.size()); index++) {
                add(with(path, Integer.toString(index)), schema.path("items"), array.path(index), all);
            }
        }
    }

    private static void addWrongType(List<String> path, JsonNode schema, List<Spoiling> all) {
        var types = schema.path("type").isArray()
                ? schema.path("type")
                : Json.array().add(schema.path("type"));
        switch (types.path(0).asText(schema.has("enum") ? "string" : "")) {
            case "string" -> {
                all.add(new Spoiling(path, "as a number", JsonNodeFactory.instance.numberNode(5), true));
                all.add(new Spoiling(path, "with NUL", TextNode.valueOf("a\0b"), true));
                all.add(new Spoiling(path, "very long", TextNode.valueOf(noise(20_000)), false));
            }
            case "object" -> {
                all.add(new Spoiling(path, "as a text", TextNode.valueOf("text"), true));
                all.add(new Spoiling(path, "too deep", deep(300), true));
            }
            case "array" -> {
                all.add(new Spoiling(path, "as an object", Json.object(), true));
                all.add(new Spoiling(path, "as a text", TextNode.valueOf("text"), true));
            }
            case "integer" -> {
                all.add(new Spoiling(path, "as a text", TextNode.valueOf("text"), true));
                all.add(new Spoiling(path, "as a fraction", JsonNodeFactory.instance.numberNode(1.5), true));
            }
            case "number", "boolean" -> all.add(new Spoiling(path, "as a text", TextNode.valueOf("text"), true));
            default -> {
                // Any value is allowed.
            }
        }
        if (schema.has("enum")) {
            all.add(new Spoiling(path, "of no such word", TextNode.valueOf("NO_SUCH_WORD"), true));
        }
    }

    private static void addOutOfBounds(List<String> path, JsonNode schema, List<Spoiling> all) {
        if (schema.has("pattern") || schema.has("format")) {
            all.add(new Spoiling(path, "malformed", TextNode.valueOf("/ . :"), true));
        }
        if (schema.has("maxLength")) {
            var tooLong = "a".repeat(schema.path("maxLength").asInt() + 1);
            all.add(new Spoiling(path, "too long", TextNode.valueOf(tooLong), true));
        }
        if (schema.path("minLength").asInt(0) > 0) {
            all.add(new Spoiling(path, "empty", TextNode.valueOf(""), true));
        }
        if (schema.has("minimum")) {
            var tooSmall =
                    JsonNodeFactory.instance.numberNode(schema.path("minimum").asLong() - 1);
            all.add(new Spoiling(path, "too small", tooSmall, true));
        }
        if (schema.has("maximum")) {
            var tooLarge =
                    JsonNodeFactory.instance.numberNode(schema.path("maximum").asLong() + 1);
            all.add(new Spoiling(path, "too large", tooLarge, true));
        }
        if (schema.path("minItems").asInt(0) > 0) {
            all.add(new Spoiling(path, "without items", Json.array(), true));
        }
        if (schema.path("type").asText().equals("array")
                && !schema.path("items").isMissingNode()) {
            all.add(new Spoiling(path, "with null in it", Json.array().add(NullNode.getInstance()), false));
        }
    }

    private static List<String> with(List<String> path, String name) {
        var longer = new ArrayList<>(path);
        longer.add(name);
        return List.copyOf(longer);
    }

    private static ObjectNode deep(int levels) {
        var root = Json.object();
        var inner = root;
        for (var level = 0; level < levels; level++) {
            inner = inner.putObject("a");
        }
        return root;
    }

    /** Incompressible text: a database index has a limit for its entries. */
    static String noise(int length) {
        var random = new Random(7);
        var text = new StringBuilder(length);
        for (var index = 0; index < length; index++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }
}
