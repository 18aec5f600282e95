package io.millrace.engine.run.waitpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.text.DecimalLiteral;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Locale;

/** Form of an approval: checks the values of an approver and converts them to the types of the fields. */
final class ApprovalForm {
    private static final int TEXT_LENGTH_MAX = 5_000;

    private ApprovalForm() {}

    /**
     * Values of the known fields by their types; other values are dropped. Fails with INVALID_INPUT and the name of the field.
     *
     * @param fields of the form, as the step recorded them
     * @param isComplete whether required fields must have a value
     */
    static ObjectNode values(JsonNode fields, ObjectNode given, boolean isComplete) {
        var values = Json.object();
        for (var field : fields) {
            var name = field.path("name").asText();
            var value = value(field, given.path(name));
            if (value.isNull() && isComplete && field.path("required").asBoolean()) {
                throw refused(field, "a value", "none");
            }
            if (!value.isNull()) {
                values.set(name, value);
            }
        }
        return values;
    }

    private static JsonNode value(JsonNode field, JsonNode given) {
        if (given.isContainerNode()) {
            throw refused(field, "one value", "several");
        }
        var type = field.path("type").asText();
        var text = given.isNull() || given.isMissingNode() ? "" : given.asText().strip();
        if (text.length() > TEXT_LENGTH_MAX) {
            throw refused(field, "at most " + TEXT_LENGTH_MAX + " characters", String.valueOf(text.length()));
        }
        if (type.equals("toggle")) {
            return toggle(field, text);
        }
        if (text.isEmpty()) {
            return NullNode.instance;
        }
        return switch (type) {
            case "number" -> number(field, text);
            case "date" -> date(field, text);
            default -> TextNode.valueOf(text);
        };
    }

    /** A toggle that is off is not sent by a form. */
    private static JsonNode toggle(JsonNode field, String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "on" -> BooleanNode.TRUE;
            case "false", "" -> BooleanNode.FALSE;
            default -> throw refused(field, "true or false", text);
        };
    }

    private static JsonNode number(JsonNode field, String text) {
        try {
            var number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return DecimalLiteral.exact(text, number).orElseGet(() -> node(number));
            }
        } catch (NumberFormatException malformed) {
            throw refused(field, "a number", text);
        }
        throw refused(field, "a finite number", text);
    }

    private static JsonNode node(double number) {
        return number == Math.rint(number) && Math.abs(number) < 1L << 53
                ? LongNode.valueOf((long) number)
                : DoubleNode.valueOf(number);
    }

    private static JsonNode date(JsonNode field, String text) {
        try {
            return TextNode.valueOf(LocalDate.parse(text).toString());
        } catch (DateTimeParseException malformed) {
            throw refused(field, "a date such as 2026-12-31", text);
        }
    }

    private static ApiException refused(JsonNode field, String expected, String found) {
        var shown = found.length() > 80 ? found.substring(0, 80) + "…" : found;
        return ApiException.of(
                ErrorCode.INVALID_INPUT,
                field.path("displayName").asText() + ": expected " + expected + ", found " + shown);
    }
}
