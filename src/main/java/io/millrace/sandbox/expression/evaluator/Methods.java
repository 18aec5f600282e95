package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.util.Map;

public final class Methods {
    private static final Map<String, Method> OF_BOOLEANS = Map.of(
            "toString", (evaluator, self, _) -> TextNode.valueOf(evaluator.text(self)),
            "valueOf", (_, self, _) -> self);

    private static final Map<String, Method> OF_OBJECTS = Map.of(
            "hasOwnProperty",
                    (evaluator, self, arguments) ->
                            BooleanNode.valueOf(Members.has(self, evaluator.text(arguments.at(0)), evaluator.meter())),
            "toString", (evaluator, self, _) -> TextNode.valueOf(evaluator.text(self)),
            "valueOf", (_, self, _) -> self);

    private Methods() {}

    @FunctionalInterface
    interface Method {
        JsonNode call(Evaluator evaluator, JsonNode self, Arguments arguments);
    }

    public static boolean isKnown(String name) {
        return textMethod(name) != null
                || listMethod(name) != null
                || NumberMethods.TABLE.containsKey(name)
                || OF_BOOLEANS.containsKey(name)
                || OF_OBJECTS.containsKey(name)
                || DateMethods.TABLE.containsKey(name)
                || RegexMethods.TABLE.containsKey(name)
                || Globals.haveMember(name);
    }

    static boolean has(JsonNode self, String name) {
        return find(self, name) != null;
    }

    public static JsonNode call(Evaluator evaluator, JsonNode self, String name, Arguments arguments) {
        var method = find(self, name);
        if (method == null) {
            throw JsError.type(name + " is not a function");
        }
        return method.call(evaluator, self, arguments);
    }

    private static Method find(JsonNode self, String name) {
        return switch (self.getNodeType()) {
            case STRING -> textMethod(name);
            case ARRAY -> listMethod(name);
            case NUMBER -> NumberMethods.TABLE.get(name);
            case BOOLEAN -> OF_BOOLEANS.get(name);
            case OBJECT -> ofObject((ObjectNode) self, name);
            case POJO -> ofOpaque(OpaqueValue.in(self), name);
            case NULL, MISSING, BINARY -> throw JsError.type("cannot read " + name + " of nothing");
        };
    }

    private static Method textMethod(String name) {
        var method = TextMethods.TABLE.get(name);
        return method == null ? TextSearch.TABLE.get(name) : method;
    }

    private static Method listMethod(String name) {
        var method = ListMethods.TABLE.get(name);
        return method == null ? ListCallbacks.TABLE.get(name) : method;
    }

    private static Method ofObject(ObjectNode object, String name) {
        var own = object.get(name);
        return own == null ? OF_OBJECTS.get(name) : ofFunction(OpaqueValue.callableIn(own));
    }

    private static Method ofOpaque(OpaqueValue self, String name) {
        return switch (self) {
            case OpaqueValue.Callable callable ->
                callable.members().containsKey(name)
                        ? ofFunction(OpaqueValue.callableIn(callable.members().get(name)))
                        : null;
            case OpaqueValue.Moment _ -> DateMethods.TABLE.get(name);
            case OpaqueValue.Regex _ -> RegexMethods.TABLE.get(name);
            case null -> null;
        };
    }

    private static Method ofFunction(OpaqueValue.Callable function) {
        return function == null ? null : (evaluator, _, arguments) -> Functions.call(function, evaluator, arguments);
    }
}
