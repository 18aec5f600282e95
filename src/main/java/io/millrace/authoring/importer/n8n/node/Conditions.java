package io.millrace.authoring.importer.n8n.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Conditions of the nodes If, Filter and Switch, of all versions, as expressions that are true or false. */
final class Conditions {
    private static final Map<String, String> OLD_NAMES = Map.ofEntries(
            Map.entry("larger", "gt"),
            Map.entry("smaller", "lt"),
            Map.entry("largerEqual", "gte"),
            Map.entry("smallerEqual", "lte"),
            Map.entry("equal", "equals"),
            Map.entry("notEqual", "notEquals"),
            Map.entry("isEmpty", "empty"),
            Map.entry("isNotEmpty", "notEmpty"),
            Map.entry("notRegex", "notRegex"));

    private final NodeContext context;
    private final Function<JsonNode, String> read;

    /** @param isCode true for JavaScript of a code step; otherwise expressions of this server */
    Conditions(NodeContext context, boolean isCode) {
        this.context = context;
        this.read = isCode ? context.parameters()::script : context.parameters()::operand;
    }

    record Group(List<String> scripts, boolean isAny) {
        String script() {
            return scripts.isEmpty() ? "true" : "(" + String.join(isAny ? " || " : " && ", scripts) + ")";
        }
    }

    /** The conditions of a filter parameter ({@code conditions.conditions}) or of version 1 ({@code conditions.string}). */
    Group read(JsonNode filter, JsonNode oldCombination) {
        var list = filter.path("conditions");
        if (list.isArray()) {
            var scripts = new ArrayList<String>();
            var ignoresCase = !filter.path("options").path("caseSensitive").asBoolean(true);
            list.forEach(condition -> scripts.add(current(condition, ignoresCase)));
            return new Group(scripts, filter.path("combinator").asText("and").equals("or"));
        }
        var scripts = new ArrayList<String>();
        for (var type : filter.properties()) {
            for (var condition : type.getValue()) {
                scripts.add(old(type.getKey(), condition));
            }
        }
        return new Group(
                scripts,
                oldCombination.asText("all").equalsIgnoreCase("any")
                        || oldCombination.asText().equalsIgnoreCase("or"));
    }

    private String current(JsonNode condition, boolean ignoresCase) {
        var operator = condition.path("operator");
        var isOldText = operator.isTextual();
        return script(
                isOldText ? "string" : operator.path("type").asText("string"),
                isOldText ? operator.asText() : operator.path("operation").asText("equals"),
                condition.path("leftValue"),
                condition.path("rightValue"),
                ignoresCase);
    }

    private String old(String type, JsonNode condition) {
        var usual = type.equals("number") ? "smaller" : "equal";
        var operation = condition.path("operation").asText(type.equals("dateTime") ? "after" : usual);
        var left = given(type, condition.path("value1"));
        var right = given(type, condition.path("value2"));
        if (type.equals("boolean")) {
            return "(" + read.apply(left) + (operation.equals("notEqual") ? " !== " : " === ") + read.apply(right)
                    + ")";
        }
        return script(type, operation, left, right, false);
    }

    /** An export of version 1 leaves out values that are the default of their type. */
    private static JsonNode given(String type, JsonNode value) {
        if (!value.isMissingNode()) {
            return value;
        }
        return switch (type) {
            case "boolean" -> BooleanNode.FALSE;
            case "number" -> IntNode.valueOf(0);
            default -> TextNode.valueOf("");
        };
    }

    String script(String type, String operation, JsonNode left, JsonNode right, boolean ignoresCase) {
        var one = read.apply(left);
        var name = OLD_NAMES.getOrDefault(operation, operation);
        return switch (name) {
            case "exists" -> "(" + one + " != null)";
            case "notExists" -> "(" + one + " == null)";
            case "empty" -> emptiness(one);
            case "notEmpty" -> "!" + emptiness(one);
            case "true" -> truth(one);
            case "false" -> "!" + truth(one);
            default ->
                switch (type) {
                    case "number" -> number(name, one, number(right));
                    case "dateTime", "date" -> date(name, one, read.apply(right));
                    case "boolean" -> bool(name, one, read.apply(right));
                    case "array" -> array(name, one, read.apply(right), ignoresCase);
                    default -> text(name, one, read.apply(right), ignoresCase, type);
                };
        };
    }

    /** A text with the word of a truth value is that value; other values are true unless they are empty or zero. */
    private static String truth(String value) {
        return "[" + value
                + "].some(v => v == null ? false : String(v).toLowerCase() === 'true' || (Boolean(v) && String(v).toLowerCase() !== 'false' && Number(v) !== 0))";
    }

    private String number(JsonNode right) {
        return right.isNumber() ? right.asText() : "Number(" + read.apply(right) + ")";
    }

    private static String emptiness(String value) {
        return "[" + value
                + "].some(v => v == null || v === '' || (typeof v === 'object' && Object.keys(v).length === 0))";
    }

    private String number(String name, String one, String other) {
        var symbol = switch (name) {
            case "equals" -> "===";
            case "notEquals" -> "!==";
            case "gt" -> ">";
            case "lt" -> "<";
            case "gte" -> ">=";
            case "lte" -> "<=";
            default -> unknown(name);
        };
        return "(Number(" + one + ") " + symbol + " " + other + ")";
    }

    private String date(String name, String one, String other) {
        var symbol = switch (name) {
            case "equals" -> "===";
            case "notEquals" -> "!==";
            case "after" -> ">";
            case "before" -> "<";
            case "afterOrEquals" -> ">=";
            case "beforeOrEquals" -> "<=";
            default -> unknown(name);
        };
        return "(new Date(" + one + ").getTime() " + symbol + " new Date(" + other + ").getTime())";
    }

    private String bool(String name, String one, String other) {
        return switch (name) {
            case "equals" -> "(" + truth(one) + " === " + truth(other) + ")";
            case "notEquals" -> "(" + truth(one) + " !== " + truth(other) + ")";
            default -> "(" + one + " " + unknown(name) + " " + other + ")";
        };
    }

    private String array(String name, String one, String other, boolean ignoresCase) {
        return switch (name) {
            case "contains" -> "(" + one + " ?? []).some(v => " + equal("v", other, ignoresCase) + ")";
            case "notContains" -> "!(" + one + " ?? []).some(v => " + equal("v", other, ignoresCase) + ")";
            case "lengthEquals" -> "((" + one + " ?? []).length === Number(" + other + "))";
            case "lengthNotEquals" -> "((" + one + " ?? []).length !== Number(" + other + "))";
            case "lengthGt" -> "((" + one + " ?? []).length > Number(" + other + "))";
            case "lengthLt" -> "((" + one + " ?? []).length < Number(" + other + "))";
            case "lengthGte" -> "((" + one + " ?? []).length >= Number(" + other + "))";
            case "lengthLte" -> "((" + one + " ?? []).length <= Number(" + other + "))";
            default -> text(name, one, other, ignoresCase, "array");
        };
    }

    private static String equal(String one, String other, boolean ignoresCase) {
        var same = one + " === " + other;
        return ignoresCase
                ? "(" + same + " || (typeof " + one + " === 'string' && typeof " + other + " === 'string' && " + one
                        + ".toLowerCase() === " + other + ".toLowerCase()))"
                : same;
    }

    private String text(String name, String one, String other, boolean ignoresCase, String type) {
        var lower = ignoresCase ? ".toLowerCase()" : "";
        var left = "String(" + one + " ?? '')" + lower;
        var right = "String(" + other + " ?? '')" + lower;
        return switch (name) {
            case "equals" -> "(" + left + " === " + right + ")";
            case "notEquals" -> "(" + left + " !== " + right + ")";
            case "contains" -> left + ".includes(" + right + ")";
            case "notContains" -> "!" + left + ".includes(" + right + ")";
            case "startsWith" -> left + ".startsWith(" + right + ")";
            case "notStartsWith" -> "!" + left + ".startsWith(" + right + ")";
            case "endsWith" -> left + ".endsWith(" + right + ")";
            case "notEndsWith" -> "!" + left + ".endsWith(" + right + ")";
            case "regex" -> matches(one, other, ignoresCase);
            case "notRegex" -> "!" + matches(one, other, ignoresCase);
            case "gt", "lt", "gte", "lte" -> number(name, one, "Number(" + other + ")");
            case "after", "before", "afterOrEquals", "beforeOrEquals" -> date(name, one, other);
            default -> {
                context.entry().byHand("the comparison \"" + name + "\" of the type " + type + " is unknown");
                yield "false";
            }
        };
    }

    /** A pattern between slashes can have flags. */
    private static String matches(String one, String other, boolean ignoresCase) {
        var pattern = "String(" + other + " ?? '').replace(/^\\/(.*)\\/[gimusy]*$/, '$1')";
        var flags = "String(" + other + " ?? '').replace(/^(?:\\/.*\\/([gimusy]*)|[^]*)$/, '$1')";
        return "new RegExp(" + pattern + ", " + (ignoresCase ? flags + ".replace('i', '') + 'i'" : flags)
                + ").test(String(" + one + " ?? ''))";
    }

    private String unknown(String name) {
        context.entry().byHand("the comparison \"" + name + "\" is unknown");
        return "===";
    }

    static ObjectNode branch(String name, String script) {
        var branch = Json.object().put("branchName", name).put("branchType", "CONDITION");
        var condition = Json.object().put("operator", "BOOLEAN_IS_TRUE").put("firstValue", ScriptTexts.token(script));
        ArrayNode groups = branch.putArray("conditions");
        groups.addArray().add(condition);
        return branch;
    }

    static ObjectNode fallback(String name) {
        return Json.object().put("branchName", name).put("branchType", "FALLBACK");
    }
}
