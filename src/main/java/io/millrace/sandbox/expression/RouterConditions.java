package io.millrace.sandbox.expression;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.JsDates;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.Substrings;
import java.util.Locale;
import java.util.Optional;

/** Decides router conditions over values that are already resolved (contract flows-and-engine 10). */
public final class RouterConditions {
    private RouterConditions() {}

    /**
     * Returns true if any of the groups holds; a group holds if all its conditions do. No group gives false, a group without
     * conditions holds.
     *
     * @param groups a branch's {@code conditions} as stored, with their values resolved
     * @throws ExpressionFailure when a condition has no operator
     */
    public static boolean evaluate(JsonNode groups) {
        var anyHolds = false;
        for (var group : groups) {
            var allHold = true;
            for (var condition : group) {
                allHold &= holds(condition);
            }
            anyHolds |= allHold;
        }
        return anyHolds;
    }

    private static boolean holds(JsonNode condition) {
        var operator = ConditionOperator.of(condition.path("operator").asText(null))
                .orElseThrow(() -> new ExpressionFailure(
                        ExpressionFailure.OPERATOR_NOT_SET, "expected an operator in the condition, but found none"));
        return evaluate(
                operator,
                condition.path("firstValue"),
                condition.path("secondValue"),
                condition.path("caseSensitive").asBoolean(false));
    }

    /**
     * Returns true if the condition holds.
     *
     * @param second ignored by the operators of one value; a missing node is undefined, as null is
     */
    public static boolean evaluate(ConditionOperator operator, JsonNode first, JsonNode second, boolean caseSensitive) {
        var left = first == null ? MissingNode.getInstance() : first;
        var right = second == null ? MissingNode.getInstance() : second;
        return switch (operator) {
            case TEXT_CONTAINS -> Substrings.contains(text(left, caseSensitive), text(right, caseSensitive));
            case TEXT_DOES_NOT_CONTAIN -> !Substrings.contains(text(left, caseSensitive), text(right, caseSensitive));
            case TEXT_EXACTLY_MATCHES -> text(left, caseSensitive).equals(text(right, caseSensitive));
            case TEXT_DOES_NOT_EXACTLY_MATCH -> !text(left, caseSensitive).equals(text(right, caseSensitive));
            case TEXT_START_WITH -> text(left, caseSensitive).startsWith(text(right, caseSensitive));
            case TEXT_DOES_NOT_START_WITH -> !text(left, caseSensitive).startsWith(text(right, caseSensitive));
            case TEXT_ENDS_WITH -> text(left, caseSensitive).endsWith(text(right, caseSensitive));
            case TEXT_DOES_NOT_END_WITH -> !text(left, caseSensitive).endsWith(text(right, caseSensitive));
            case LIST_CONTAINS -> listContains(left, right, caseSensitive);
            case LIST_DOES_NOT_CONTAIN -> !listContains(left, right, caseSensitive);
            case LIST_IS_EMPTY -> list(left).map(ArrayNode::isEmpty).orElse(false);
            case LIST_IS_NOT_EMPTY -> list(left).map(found -> !found.isEmpty()).orElse(false);
            case NUMBER_IS_GREATER_THAN -> JsValues.isLess(number(right), number(left));
            case NUMBER_IS_LESS_THAN -> JsValues.isLess(number(left), number(right));
            case NUMBER_IS_EQUAL_TO -> JsValues.looselyEqual(number(left), number(right));
            case DATE_IS_BEFORE -> JsDates.ofCondition(left) < JsDates.ofCondition(right);
            case DATE_IS_EQUAL -> JsDates.ofCondition(left) == JsDates.ofCondition(right);
            case DATE_IS_AFTER -> JsDates.ofCondition(left) > JsDates.ofCondition(right);
            case EXISTS -> exists(left);
            case DOES_NOT_EXIST -> !exists(left);
            case BOOLEAN_IS_TRUE -> JsValues.isTruthy(left);
            case BOOLEAN_IS_FALSE -> !JsValues.isTruthy(left);
        };
    }

    private static boolean exists(JsonNode value) {
        return !JsValues.isNullish(value)
                && !(value.isTextual() && value.textValue().isEmpty());
    }

    private static String text(JsonNode value, boolean caseSensitive) {
        var text = value.isTextual() ? value.textValue() : JsText.json(value);
        return caseSensitive ? text : text.toLowerCase(Locale.ROOT);
    }

    /** Number that the value converts to; the value itself if it does not convert. */
    private static JsonNode number(JsonNode value) {
        var number = JsNumbers.of(value);
        return Double.isNaN(number) ? value : JsNumbers.node(number);
    }

    /** The value if it is a list, or the list whose JSON it is; empty otherwise. */
    private static Optional<ArrayNode> list(JsonNode value) {
        return (value.isTextual() ? parsed(value) : value) instanceof ArrayNode found
                ? Optional.of(found)
                : Optional.empty();
    }

    private static boolean listContains(JsonNode first, JsonNode second, boolean caseSensitive) {
        var wanted = text(second, caseSensitive);
        var parsed = first.isTextual() ? parsed(first) : first;
        if (!parsed.isArray()) {
            return text(parsed, caseSensitive).equals(wanted);
        }
        for (var item : parsed) {
            if (text(item, caseSensitive).equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Parses the text as JSON; returns the text itself if it is not JSON. */
    private static JsonNode parsed(JsonNode text) {
        try {
            var value = Json.parse(text.textValue());
            return value.isMissingNode() ? text : value;
        } catch (JsonProcessingException notJson) {
            return text;
        }
    }
}
