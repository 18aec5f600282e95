package io.millrace.piece.input;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import java.util.Optional;

/** Type check of values against their properties (contract flows-and-engine 8.4). */
final class PropertyCheck {
    private PropertyCheck() {}

    /**
     * Describes a type error; empty for a valid value.
     *
     * @param value value after coercion, null when absent
     * @param given value before coercion, null when absent
     */
    static Optional<String> problem(Property property, JsonNode value, JsonNode given) {
        var kind = kindOf(property.type());
        if (kind.isEmpty()) {
            return Optional.empty();
        }
        var fits = value == null || value.isNull() ? !property.required() : hasType(property.type(), value);
        return fits
                ? Optional.empty()
                : Optional.of("Expected " + kind.get() + ", received: "
                        + (given == null ? "undefined" : ScriptValues.text(given)));
    }

    /** Expected kind of value for a property type; empty when any value is valid. */
    static Optional<String> kindOf(PropertyType type) {
        return switch (type) {
            case SHORT_TEXT, LONG_TEXT -> Optional.of("string");
            case DATE_TIME -> Optional.of("a date and time such as 2024-03-14T12:00:00.000Z");
            case NUMBER -> Optional.of("number");
            case CHECKBOX -> Optional.of("boolean");
            case MULTI_SELECT_DROPDOWN, STATIC_MULTI_SELECT_DROPDOWN, ARRAY -> Optional.of("array");
            case OBJECT -> Optional.of("object");
            case JSON -> Optional.of("JSON");
            case FILE -> Optional.of("file url or base64 with mimeType");
            case SECRET_TEXT, MARKDOWN, DROPDOWN, STATIC_DROPDOWN, DYNAMIC, CUSTOM, COLOR -> Optional.empty();
            case OAUTH2, BASIC_AUTH, CUSTOM_AUTH, OIDC -> Optional.empty();
        };
    }

    private static boolean hasType(PropertyType type, JsonNode value) {
        return switch (type) {
            case SHORT_TEXT, LONG_TEXT, DATE_TIME -> value.isTextual();
            case NUMBER -> value.isNumber() && Double.isFinite(value.doubleValue());
            case CHECKBOX -> value.isBoolean();
            case MULTI_SELECT_DROPDOWN, STATIC_MULTI_SELECT_DROPDOWN, ARRAY -> value.isArray();
            case OBJECT -> value.isObject();
            case JSON -> value.isObject() || value.isArray();
            case FILE -> FileValue.isFile(value);
            case SECRET_TEXT, MARKDOWN, DROPDOWN, STATIC_DROPDOWN, DYNAMIC, CUSTOM, COLOR -> true;
            case OAUTH2, BASIC_AUTH, CUSTOM_AUTH, OIDC -> true;
        };
    }
}
