package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.FormulaDateText;
import io.millrace.sandbox.expression.value.JsDates;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.MemberPath;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.util.HashMap;
import java.util.Map;

public final class Globals {
    private static final Map<String, JsonNode> TABLE = table();

    private Globals() {}

    public static boolean has(String name) {
        return TABLE.containsKey(name);
    }

    static JsonNode get(String name) {
        return TABLE.get(name);
    }

    static boolean haveMember(String name) {
        return TABLE.values().stream().anyMatch(global -> membersOf(global).containsKey(name));
    }

    /** True if a global has no such member here, although JavaScript may have it. */
    public static boolean isForeign(String global, String member) {
        return !membersOf(TABLE.get(global)).containsKey(member) && !MemberPath.isRefused(member);
    }

    private static Map<String, JsonNode> membersOf(JsonNode global) {
        return OpaqueValue.in(global) instanceof OpaqueValue.Callable callable ? callable.members() : Map.of();
    }

    private static Map<String, JsonNode> table() {
        var globals = new HashMap<String, JsonNode>();
        globals.put("Math", MathGlobal.value());
        globals.put("Object", ObjectGlobal.value());
        globals.put("JSON", JsonGlobal.value());
        globals.put("Array", ArrayGlobal.value());
        globals.put("Number", NumberGlobal.value());
        globals.put("String", string());
        globals.put("Date", date());
        globals.put(
                "Boolean",
                Functions.of("Boolean", (_, arguments) -> BooleanNode.valueOf(JsValues.isTruthy(arguments.at(0)))));
        globals.put("RegExp", Functions.of("RegExp", Globals::regex));
        globals.put("parseFloat", NumberGlobal.PARSE_FLOAT);
        globals.put("parseInt", NumberGlobal.PARSE_INT);
        globals.put(
                "isNaN",
                Functions.of(
                        "isNaN",
                        (evaluator, arguments) -> BooleanNode.valueOf(Double.isNaN(arguments.number(evaluator, 0)))));
        globals.put(
                "isFinite",
                Functions.of(
                        "isFinite",
                        (evaluator, arguments) ->
                                BooleanNode.valueOf(Double.isFinite(arguments.number(evaluator, 0)))));
        globals.putAll(UriGlobal.functions());
        globals.put("flattenNestedKeys", Functions.of("flattenNestedKeys", FlattenNestedKeys::call));
        return Map.copyOf(globals);
    }

    private static JsonNode string() {
        Functions.Body convert = (evaluator, arguments) ->
                arguments.size() == 0 ? TextNode.valueOf("") : evaluator.made(evaluator.text(arguments.at(0)));
        return Functions.namespace(
                "String", convert, Map.of("fromCharCode", Functions.of("fromCharCode", (evaluator, arguments) -> {
                    var text = new StringBuilder();
                    for (var i = 0; i < arguments.size(); i++) {
                        text.append((char) JsNumbers.int32(arguments.number(evaluator, i)));
                    }
                    return evaluator.made(text.toString());
                })));
    }

    private static JsonNode date() {
        return Functions.namespace(
                "Date",
                (evaluator, _) -> TextNode.valueOf(FormulaDateText.full(DateMethods.now(evaluator))),
                Map.of(
                        "now",
                        Functions.of("now", (evaluator, _) -> JsNumbers.node(DateMethods.now(evaluator))),
                        "parse",
                        Functions.of(
                                "parse",
                                (evaluator, arguments) -> JsNumbers.node(
                                        JsDates.parse(evaluator.text(arguments.at(0)), evaluator.meter()))),
                        "UTC",
                        Functions.of(
                                "UTC",
                                (evaluator, arguments) -> JsNumbers.node(DateMethods.ofParts(evaluator, arguments)))));
    }

    private static JsonNode regex(Evaluator evaluator, Arguments arguments) {
        if (OpaqueValue.in(arguments.at(0)) instanceof OpaqueValue.Regex(var pattern)) {
            var flags = arguments.isGiven(1) ? evaluator.text(arguments.at(1)) : pattern.flags();
            return Members.regex(JsPattern.compile(pattern.source(), flags, evaluator.meter()));
        }
        var source = arguments.isGiven(0) ? evaluator.text(arguments.at(0)) : "(?:)";
        var flags = arguments.isGiven(1) ? evaluator.text(arguments.at(1)) : "";
        return Members.regex(JsPattern.compile(source, flags, evaluator.meter()));
    }
}
