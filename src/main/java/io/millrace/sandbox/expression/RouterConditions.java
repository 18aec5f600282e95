package io.millrace.sandbox.expression;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.JsDates;
import io.millrace.sandbox.expression.value.JsJson;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.sandbox.expression.value.Substrings;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Optional;

/**
 * Decides router conditions over values that are already resolved (contract flows-and-engine 10). One instance serves all conditions of
 * a router, so that they share one budget, and a long text that many conditions compare is converted to lower case once.
 */
public final class RouterConditions {
    /** Shortest text, in characters, whose form in lower case is kept. */
    private static final int KEPT_LENGTH_MIN = 1_000;

    /** A search reads several characters at once. */
    private static final int SEARCH_SPEED = 4;

    /** Characters of JSON text that are parsed in the time of one unit. */
    private static final int PARSED_PER_UNIT = 4;

    private final Meter meter;
    private final IdentityHashMap<JsonNode, String> lowered = new IdentityHashMap<>(4);

    /** @param meter meter of all conditions and of the expressions of their values */
    public RouterConditions(Meter meter) {
        this.meter = meter;
    }

    /**
     * Returns true if any of the groups holds; a group holds if all its conditions do. No group gives false, a group without
     * conditions holds.
     *
     * @param groups a branch's {@code conditions} as stored, with their values resolved
     * @throws ExpressionFailure when a condition has no operator
     */
    public static boolean evaluate(JsonNode groups) {
        var conditions = new RouterConditions(Meter.generous());
        var anyHolds = false;
        for (var group : groups) {
            var allHold = true;
            for (var condition : group) {
                allHold &= conditions.holds(condition);
            }
            anyHolds |= allHold;
        }
        return anyHolds;
    }

    private boolean holds(JsonNode condition) {
        var operator = ConditionOperator.of(condition.path("operator").asText(null))
                .orElseThrow(() -> new ExpressionFailure(
                        ExpressionFailure.OPERATOR_NOT_SET, "expected an operator in the condition, but found none"));
        return holds(
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
        return new RouterConditions(Meter.generous()).holds(operator, first, second, caseSensitive);
    }

    /**
     * Returns true if the condition holds.
     *
     * @param second ignored by the operators of one value; a missing node is undefined, as null is
     * @throws ExpressionFailure when the budget is exhausted
     */
    public boolean holds(ConditionOperator operator, JsonNode first, JsonNode second, boolean caseSensitive) {
        meter.surface();
        meter.spend(1);
        var left = first == null ? MissingNode.getInstance() : first;
        var right = second == null ? MissingNode.getInstance() : second;
        return switch (operator) {
            case TEXT_CONTAINS -> contains(text(left, caseSensitive), text(right, caseSensitive));
            case TEXT_DOES_NOT_CONTAIN -> !contains(text(left, caseSensitive), text(right, caseSensitive));
            case TEXT_EXACTLY_MATCHES -> equal(text(left, caseSensitive), text(right, caseSensitive));
            case TEXT_DOES_NOT_EXACTLY_MATCH -> !equal(text(left, caseSensitive), text(right, caseSensitive));
            case TEXT_START_WITH -> startsWith(text(left, caseSensitive), text(right, caseSensitive));
            case TEXT_DOES_NOT_START_WITH -> !startsWith(text(left, caseSensitive), text(right, caseSensitive));
            case TEXT_ENDS_WITH -> endsWith(text(left, caseSensitive), text(right, caseSensitive));
            case TEXT_DOES_NOT_END_WITH -> !endsWith(text(left, caseSensitive), text(right, caseSensitive));
            case LIST_CONTAINS -> listContains(left, right, caseSensitive);
            case LIST_DOES_NOT_CONTAIN -> !listContains(left, right, caseSensitive);
            case LIST_IS_EMPTY -> list(left).map(ArrayNode::isEmpty).orElse(false);
            case LIST_IS_NOT_EMPTY -> list(left).map(found -> !found.isEmpty()).orElse(false);
            case NUMBER_IS_GREATER_THAN -> JsValues.isLess(number(right), number(left), meter);
            case NUMBER_IS_LESS_THAN -> JsValues.isLess(number(left), number(right), meter);
            case NUMBER_IS_EQUAL_TO -> JsValues.looselyEqual(number(left), number(right), meter);
            case DATE_IS_BEFORE -> date(left) < date(right);
            case DATE_IS_EQUAL -> date(left) == date(right);
            case DATE_IS_AFTER -> date(left) > date(right);
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

    private String text(JsonNode value, boolean caseSensitive) {
        if (caseSensitive) {
            return plain(value);
        }
        var known = lowered.get(value);
        if (known != null) {
            return known;
        }
        var plain = plain(value);
        meter.scan(plain.length());
        var text = plain.toLowerCase(Locale.ROOT);
        if (text.length() >= KEPT_LENGTH_MIN) {
            lowered.put(value, text);
        }
        return text;
    }

    private String plain(JsonNode value) {
        if (value.isTextual()) {
            return value.textValue();
        }
        var text = JsJson.text(value, "", meter);
        return text == null ? "" : text;
    }

    private boolean contains(String text, String wanted) {
        meter.scan(text.length() / SEARCH_SPEED);
        return Substrings.contains(text, wanted);
    }

    private boolean equal(String first, String second) {
        if (first.length() != second.length()) {
            return false;
        }
        meter.scan(first.length());
        return first.equals(second);
    }

    private boolean startsWith(String text, String start) {
        meter.scan(Math.min(text.length(), start.length()));
        return text.startsWith(start);
    }

    private boolean endsWith(String text, String end) {
        meter.scan(Math.min(text.length(), end.length()));
        return text.endsWith(end);
    }

    /** Number that the value converts to; the value itself if it does not convert. */
    private JsonNode number(JsonNode value) {
        var number = JsNumbers.of(value, meter);
        return Double.isNaN(number) ? value : JsNumbers.node(number);
    }

    private double date(JsonNode value) {
        if (value.isTextual()) {
            meter.scan(value.textValue().length());
        }
        return JsDates.ofCondition(value);
    }

    /** The value if it is a list, or the list whose JSON it is; empty otherwise. */
    private Optional<ArrayNode> list(JsonNode value) {
        return (value.isTextual() ? parsed(value) : value) instanceof ArrayNode found
                ? Optional.of(found)
                : Optional.empty();
    }

    private boolean listContains(JsonNode first, JsonNode second, boolean caseSensitive) {
        var wanted = text(second, caseSensitive);
        var parsed = first.isTextual() ? parsed(first) : first;
        if (!parsed.isArray()) {
            return equal(text(parsed, caseSensitive), wanted);
        }
        for (var item : parsed) {
            meter.spend(1);
            if (equal(text(item, caseSensitive), wanted)) {
                return true;
            }
        }
        return false;
    }

    /** Parses the text as JSON; returns the text itself if it is not JSON. */
    private JsonNode parsed(JsonNode text) {
        meter.spend(1 + text.textValue().length() / PARSED_PER_UNIT);
        try {
            var value = Json.parse(text.textValue());
            return value.isMissingNode() ? text : value;
        } catch (JsonProcessingException notJson) {
            return text;
        }
    }
}
