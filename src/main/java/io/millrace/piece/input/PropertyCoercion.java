package io.millrace.piece.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.DecimalLiteral;
import io.millrace.piece.property.Property;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Function;

/** Coerces one value to its property's type (contract flows-and-engine 8.3, pieces 6). A null result means absent. */
final class PropertyCoercion {
    private static final double PLAIN_DIGITS_BELOW = 1e21;

    private PropertyCoercion() {}

    static JsonNode coerce(Property property, JsonNode given, Function<String, Optional<FileValue>> files) {
        return switch (property.type()) {
            case SHORT_TEXT, LONG_TEXT, SECRET_TEXT -> text(property, given);
            case NUMBER -> number(given);
            case CHECKBOX -> checkbox(given);
            case DATE_TIME -> dateTime(given);
            case JSON -> json(property, given);
            case OBJECT -> object(given);
            case FILE -> file(given, files);
            case STATIC_DROPDOWN -> choice(property, given);
            case MULTI_SELECT_DROPDOWN, STATIC_MULTI_SELECT_DROPDOWN -> choices(given);
            case MARKDOWN, DROPDOWN, OAUTH2, ARRAY, BASIC_AUTH, DYNAMIC, CUSTOM_AUTH, CUSTOM, COLOR, OIDC -> given;
        };
    }

    private static JsonNode text(Property property, JsonNode given) {
        if (given.isNull()) {
            return given;
        }
        var text = given.isTextual() ? given : TextNode.valueOf(ScriptValues.text(given));
        return text.asText().isEmpty() && !property.required() ? null : text;
    }

    private static JsonNode number(JsonNode given) {
        if (given.isNumber() || given.isNull()) {
            return given;
        }
        if (given.isTextual() && given.asText().isEmpty()) {
            return null;
        }
        var number = JsNumbers.of(given);
        if (!Double.isFinite(number)) {
            return DoubleNode.valueOf(number);
        }
        return (given.isTextual()
                        ? DecimalLiteral.exact(JsText.trim(given.textValue()), number)
                        : Optional.<JsonNode>empty())
                .orElseGet(() -> written(number));
    }

    /** JavaScript writes an integer below 10^21 without an exponent, which parsers of 64-bit integers refuse. */
    private static JsonNode written(double number) {
        var magnitude = Math.abs(number);
        return magnitude > JsNumbers.SAFE_INTEGER_MAX && magnitude < PLAIN_DIGITS_BELOW
                ? DecimalLiteral.whole(new BigDecimal(number).toBigIntegerExact())
                : ScriptValues.node(number);
    }

    private static JsonNode checkbox(JsonNode given) {
        if (!given.isTextual()) {
            return given;
        }
        if (given.asText().equalsIgnoreCase("true")) {
            return BooleanNode.TRUE;
        }
        return given.asText().equalsIgnoreCase("false") ? BooleanNode.FALSE : given;
    }

    private static JsonNode dateTime(JsonNode given) {
        return DateParser.parse(given)
                .map(Json::timestamp)
                .map(TextNode::valueOf)
                .orElse(null);
    }

    private static JsonNode json(Property property, JsonNode given) {
        if (!given.isTextual()) {
            return given;
        }
        if (given.asText().isBlank()) {
            return property.required() ? given : null;
        }
        return parsed(given.asText()).orElse(given);
    }

    private static JsonNode object(JsonNode given) {
        if (given.isArray()) {
            return null;
        }
        return given.isTextual()
                ? parsed(given.asText()).filter(value -> !value.isArray()).orElse(null)
                : given;
    }

    /** An expression inside a text yields a text, even if the options are numbers or objects. */
    private static JsonNode choice(Property property, JsonNode given) {
        if (!given.isTextual()) {
            return given;
        }
        var text = given.textValue();
        JsonNode found = null;
        for (var option : property.options()) {
            if (given.equals(option.value())) {
                return given;
            }
            if (found == null && ScriptValues.text(option.value()).equals(text)) {
                found = option.value();
            }
        }
        return found == null ? given : found;
    }

    /** Several choices: a list, a text that is one, or a single value. */
    private static JsonNode choices(JsonNode given) {
        if (given.isArray() || given.isNull()) {
            return given;
        }
        if (given.isTextual() && given.asText().isBlank()) {
            return null;
        }
        var parsed = given.isTextual() ? parsed(given.asText()).filter(JsonNode::isArray) : Optional.<JsonNode>empty();
        return parsed.orElseGet(() -> Json.array().add(given));
    }

    private static JsonNode file(JsonNode given, Function<String, Optional<FileValue>> files) {
        if (FileValue.isFile(given)) {
            return given;
        }
        var text = given.isTextual() ? given.asText().strip() : "";
        return files.apply(text).map(found -> (JsonNode) found.toJson()).orElse(NullNode.instance);
    }

    static boolean isRemoteFile(String text) {
        return text.regionMatches(true, 0, "http://", 0, 7) || text.regionMatches(true, 0, "https://", 0, 8);
    }

    private static Optional<JsonNode> parsed(String text) {
        try {
            return Optional.of(Json.parse(text)).filter(value -> !value.isMissingNode());
        } catch (JsonProcessingException plainText) {
            return Optional.empty();
        }
    }
}
