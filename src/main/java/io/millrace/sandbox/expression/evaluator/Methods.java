package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.value.Exotic;
import io.millrace.sandbox.expression.value.JsError;
import java.util.Map;

/** Finds the method of a value, and calls it. */
public final class Methods {
    private static final Map<String, Method> OF_BOOLEANS = Map.of(
            "toString", (evaluator, self, _) -> TextNode.valueOf(evaluator.text(self)),
            "valueOf", (_, self, _) -> self);

    private static final Map<String, Method> OF_OBJECTS = Map.of(
            "hasOwnProperty",
                    (evaluator, self, arguments) -> BooleanNode.valueOf(self.has(evaluator.text(arguments.at(0)))),
            "toString", (evaluator, self, _) -> TextNode.valueOf(evaluator.text(self)),
            "valueOf", (_, self, _) -> self);

    private Methods() {}

    /** Implementation of a method. */
    @FunctionalInterface
    interface Method {
        JsonNode call(Evaluator evaluator, JsonNode self, Arguments arguments);
    }

    /** True if values of any kind have a method of that name. */
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

    static JsonNode call(Evaluator evaluator, JsonNode self, String name, Arguments arguments) {
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
            case POJO -> ofExotic(Exotic.in(self), name);
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
        return own == null ? OF_OBJECTS.get(name) : ofFunction(Exotic.callableIn(own));
    }

    private static Method ofExotic(Exotic self, String name) {
        return switch (self) {
            case Exotic.Callable callable ->
                callable.members().containsKey(name)
                        ? ofFunction(Exotic.callableIn(callable.members().get(name)))
                        : null;
            case Exotic.Moment _ -> DateMethods.TABLE.get(name);
            case Exotic.Regex _ -> RegexMethods.TABLE.get(name);
            case null -> null;
        };
    }

    private static Method ofFunction(Exotic.Callable function) {
        return function == null ? null : (evaluator, _, arguments) -> Functions.call(function, evaluator, arguments);
    }
}
