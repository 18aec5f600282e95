package io.millrace.authoring.flow.editor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.property.Property;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Validates a stored input against the properties of an action or trigger (contract flows-and-engine 2.12). Stored
 * values may be expressions, so a text is valid for nearly every type.
 */
final class InputSchema {
    private static final String AUTH = "auth";

    private final Map<String, Property> properties;
    private final boolean asksAuth;

    /**
     * A schema.
     *
     * @param asksAuth true if the input must refer to a connection
     */
    InputSchema(Map<String, Property> properties, boolean asksAuth) {
        this.properties = properties;
        this.asksAuth = asksAuth;
    }

    ObjectNode cleaned(JsonNode input) {
        var cleaned = Json.object();
        if (asksAuth && input.has(AUTH)) {
            cleaned.set(AUTH, input.get(AUTH));
        }
        for (var name : properties.keySet()) {
            if (input.has(name)) {
                cleaned.set(name, input.get(name));
            }
        }
        return cleaned;
    }

    boolean accepts(JsonNode input) {
        return problems(input).isEmpty();
    }

    List<String> problems(JsonNode input) {
        if (!input.isObject()) {
            return List.of("input: expected an object, found " + kindOf(input));
        }
        var problems = new ArrayList<String>();
        if (asksAuth && !isText(input.path(AUTH), true)) {
            problems.add("input/auth: expected a connection, found " + kindOf(input.path(AUTH)));
        }
        properties.forEach((name, property) -> {
            var value = input.path(name);
            if (!(asksAuth && name.equals(AUTH)) && !accepts(property, value)) {
                problems.add("input/" + name + ": expected " + wanted(property) + ", found " + kindOf(value));
            }
        });
        return problems;
    }

    private static String wanted(Property property) {
        return (property.required() ? "a value of type " : "nothing or a value of type ")
                + property.type().name();
    }

    private static String kindOf(JsonNode value) {
        if (value.isTextual() && value.textValue().isEmpty()) {
            return "an empty text";
        }
        return switch (value.getNodeType()) {
            case MISSING, NULL -> "none";
            case STRING -> "a text";
            case NUMBER -> "a number";
            case BOOLEAN -> "a truth value";
            case ARRAY -> value.isEmpty() ? "an empty list" : "a list";
            case OBJECT, POJO, BINARY -> "an object";
        };
    }

    private static boolean accepts(Property property, JsonNode value) {
        var required = property.required();
        return switch (property.type()) {
            case SHORT_TEXT, LONG_TEXT, DATE_TIME, COLOR, FILE, SECRET_TEXT ->
                isAbsentOr(property, value, text -> isText(text, required));
            case CHECKBOX -> isAbsentOr(property, value, flag -> flag.isBoolean() || flag.isTextual());
            case NUMBER -> isAbsentOr(property, value, number -> number.isNumber() || isText(number, required));
            case DROPDOWN, STATIC_DROPDOWN -> isAbsentOr(property, value, _ -> true);
            case MULTI_SELECT_DROPDOWN, STATIC_MULTI_SELECT_DROPDOWN ->
                isAbsentOr(property, value, list -> isList(list, required) || isText(list, required));
            case ARRAY -> value.isObject() || value.isTextual() || isArray(property, value);
            case OBJECT -> isAbsentOr(property, value, object -> object.isObject() || object.isTextual());
            case JSON -> isAbsentOr(property, value, json -> json.isContainerNode() || json.isTextual());
            case DYNAMIC -> isAbsentOr(property, value, JsonNode::isObject);
            case CUSTOM, MARKDOWN, BASIC_AUTH, CUSTOM_AUTH, OAUTH2, OIDC -> true;
        };
    }

    private static boolean isAbsentOr(Property property, JsonNode value, Predicate<JsonNode> test) {
        var isAbsent = value.isMissingNode() || value.isNull();
        return isAbsent ? !property.required() : test.test(value);
    }

    private static boolean isText(JsonNode value, boolean nonEmpty) {
        return value.isTextual() && !(nonEmpty && value.textValue().isEmpty());
    }

    private static boolean isList(JsonNode value, boolean nonEmpty) {
        return value.isArray() && !(nonEmpty && value.isEmpty());
    }

    private static boolean isArray(Property property, JsonNode value) {
        if (!value.isArray()) {
            return false;
        }
        if (property.properties().isEmpty()) {
            return isList(value, property.required()) && allMatch(value, item -> isText(item, property.required()));
        }
        var items = new InputSchema(property.properties(), false);
        return allMatch(value, items::accepts);
    }

    private static boolean allMatch(JsonNode array, Predicate<JsonNode> test) {
        for (var item : array) {
            if (!test.test(item)) {
                return false;
            }
        }
        return true;
    }
}
