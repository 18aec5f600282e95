package io.millrace.piece.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.input.PropertyProcessor.Field;
import io.millrace.piece.property.PropertyType;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Processes values with properties of their own by the processor of those: credentials, the children of a DYNAMIC property and the
 * items of an ARRAY. Problems are collected below the name of the field.
 */
final class NestedInput {
    /** Suffixes of credential types; the types of a platform's own applications have a prefix. */
    private static final List<PropertyType> CREDENTIALS = List.of(
            PropertyType.CUSTOM_AUTH,
            PropertyType.OAUTH2,
            PropertyType.SECRET_TEXT,
            PropertyType.BASIC_AUTH,
            PropertyType.OIDC);

    private NestedInput() {}

    /** Pieces of the oldest kind get the bare properties of their credentials. */
    static ObjectNode credentials(
            Field field, ObjectNode value, Function<String, Optional<FileValue>> files, ObjectNode errors) {
        var type = value.path("type").asText();
        var isWrapped = CREDENTIALS.stream().map(PropertyType::name).anyMatch(type::endsWith);
        if (!isWrapped) {
            return field.property().type() == PropertyType.CUSTOM_AUTH ? saved(field, value, files, errors) : value;
        }
        return type.endsWith(field.property().type().name()) && value.path("props") instanceof ObjectNode props
                ? Json.object().<ObjectNode>setAll(value).set("props", saved(field, props, files, errors))
                : value;
    }

    private static ObjectNode saved(
            Field field, ObjectNode values, Function<String, Optional<FileValue>> files, ObjectNode errors) {
        return processed(field, field.saved(), values, files, errors);
    }

    private static ObjectNode processed(
            Field field,
            PropertyProcessor processor,
            ObjectNode values,
            Function<String, Optional<FileValue>> files,
            ObjectNode errors) {
        var problems = Json.object();
        var processed = processor.process(values, files, problems);
        if (!problems.isEmpty()) {
            errors.set(field.name(), problems);
        }
        return processed;
    }

    static ObjectNode children(
            Field field,
            ObjectNode values,
            ObjectNode input,
            Function<String, Optional<FileValue>> files,
            ObjectNode errors) {
        var processor = field.childrenFor(input).orElseThrow();
        var name = field.property().extras().path(PropertyProcessor.ANY_JSON).asText();
        var value = values.get(name);
        if (value == null || !hasJson(processor, name) || !isBare(value)) {
            return processed(field, processor, values, files, errors);
        }
        var others = Json.object().<ObjectNode>setAll(values).<ObjectNode>set(name, Json.object());
        return Json.object()
                .<ObjectNode>setAll(processed(field, processor, others, files, errors))
                .set(name, value);
    }

    private static boolean hasJson(PropertyProcessor processor, String name) {
        return processor.fields().stream()
                .anyMatch(field -> field.name().equals(name) && field.property().type() == PropertyType.JSON);
    }

    /** True if a value, or its text, is JSON and neither an object nor a list. */
    private static boolean isBare(JsonNode value) {
        if (!value.isTextual()) {
            return value.isValueNode();
        }
        try {
            return Json.parse(value.textValue()).isValueNode();
        } catch (JsonProcessingException notJson) {
            return false;
        }
    }

    /** Items of an ARRAY, given as a list or as columns. */
    static JsonNode items(Field field, JsonNode given, Function<String, Optional<FileValue>> files, ObjectNode errors) {
        if (!given.isArray() && !given.isObject()) {
            return given;
        }
        var list = given instanceof ObjectNode columns ? zipped(columns) : (ArrayNode) given;
        var processed = Json.array();
        var problems = Json.array();
        var wrong = false;
        for (var item : list) {
            var itemProblems = problems.addObject();
            processed.add(
                    item instanceof ObjectNode values ? field.items().process(values, files, itemProblems) : item);
            wrong |= !itemProblems.isEmpty();
        }
        if (wrong) {
            errors.putObject(field.name()).set("properties", problems);
        }
        return processed;
    }

    /** Rows from columns: as long as the longest column; a single value repeats in every row (8.2). */
    static ArrayNode zipped(JsonNode columns) {
        var list = Json.array();
        for (var row = 0; row < rowsOf(columns); row++) {
            var item = list.addObject();
            for (var column : columns.properties()) {
                var values = column.getValue();
                var value = values.isArray() ? values.get(row) : values;
                if (value != null) {
                    item.set(column.getKey(), value);
                }
            }
        }
        return list;
    }

    /** Single values without any list form one row. */
    private static int rowsOf(JsonNode columns) {
        var rows = -1;
        for (var column : columns) {
            rows = Math.max(rows, column.isArray() ? column.size() : -1);
        }
        return rows >= 0 ? rows : Math.min(1, columns.size());
    }
}
