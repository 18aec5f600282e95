package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.POJONode;
import io.millrace.sandbox.expression.closure.ClosureScope.Meaning;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

final class ClosureCalls {
    /** Methods that reorder their own list. */
    private static final Set<String> REORDERING = Set.of("sort", "reverse");

    private final ClosureExpressions expressions;
    private final ClosureCompiler functions;

    ClosureCalls(ClosureExpressions expressions, ClosureCompiler functions) {
        this.expressions = expressions;
        this.functions = functions;
    }

    Computation compiled(Syntax.Call call, ClosureScope scope, boolean isDropped) {
        if (call.optional()) {
            throw new SubsetExit("an optional call");
        }
        return switch (call.callee()) {
            case Syntax.Local(var name) -> ofFunction(name, call.arguments(), scope);
            case Syntax.Global(var name) -> ofGlobal(name, call.arguments(), scope);
            case Syntax.Member(Syntax.Global(var global), Syntax.Literal(var name), var isOptional)
            when !isOptional -> ofGlobal(global + "." + name.asText(), call.arguments(), scope);
            case Syntax.Member(Syntax.RegexLiteral(var pattern), Syntax.Literal(var name), var _)
            when name.asText().equals("test") -> ofPattern(pattern, call.arguments(), scope);
            case Syntax.Member(var _, Syntax.Literal(var name), var _)
            when isDropped && name.asText().equals("push") -> ofPush(call, scope);
            case Syntax.Member member
            when member.key() instanceof Syntax.Literal(var name) && name.isTextual() ->
                ofMethod(member, name.textValue(), call.arguments(), scope);
            default -> throw new SubsetExit("a call of another kind");
        };
    }

    Computation constant(String global, Syntax key, ClosureScope scope) {
        if (key instanceof Syntax.Literal(var name) && scope.find(global) == null) {
            var constant = ClosureGlobals.CONSTANTS.get(global + "." + name.asText());
            if (constant != null) {
                return _ -> constant;
            }
        }
        throw new SubsetExit("a member of a global");
    }

    private Computation ofFunction(String name, List<Syntax> arguments, ClosureScope scope) {
        if (!(scope.find(name) instanceof Meaning.Function(var depth, var function))) {
            throw new SubsetExit("a call of a value that is no function");
        }
        var levels = scope.level().depth() - depth;
        var values = arguments(arguments, scope);
        return frame -> function.call(frame.up(levels), arguments(values, frame).toArray(JsonNode[]::new));
    }

    private Computation ofGlobal(String name, List<Syntax> arguments, ClosureScope scope) {
        var function = ClosureGlobals.FUNCTIONS.get(name);
        if (function == null || scope.find(name.substring(0, (name + ".").indexOf('.'))) != null) {
            throw new SubsetExit("a call of " + name);
        }
        var values = arguments(arguments, scope);
        return frame -> {
            frame.meter().spend(1);
            return function.call(arguments(values, frame), frame);
        };
    }

    private Computation ofPattern(JsPattern pattern, List<Syntax> arguments, ClosureScope scope) {
        if (arguments.size() != 1) {
            throw new SubsetExit("a search of other than one text");
        }
        var node = pattern(pattern);
        var text = expressions.value(arguments.getFirst(), scope);
        return frame -> {
            var value = text.in(frame);
            return ClosureTexts.ofPattern("test", pattern, value, List.of(node, value), frame);
        };
    }

    private static JsonNode pattern(JsPattern pattern) {
        if (!PlainPattern.isPlain(pattern)) {
            throw new SubsetExit("a regular expression that may match differently");
        }
        return new POJONode(new OpaqueValue.Regex(pattern));
    }

    private Computation ofPush(Syntax.Call call, ClosureScope scope) {
        if (!(call.callee() instanceof Syntax.Member(Syntax.Local(var name), var _, var isOptional)) || isOptional) {
            throw new SubsetExit("a change of a value without a name");
        }
        var variable = OwnedValues.require(name, scope);
        var levels = scope.level().depth() - variable.depth();
        var values = arguments(call.arguments(), scope);
        return frame -> {
            var list = ExactValues.requireList(frame.up(levels).get(variable.slot()));
            for (var value : arguments(values, frame)) {
                ExactValues.add(list, value, frame.meter());
            }
            return ExactValues.UNDEFINED;
        };
    }

    private Computation ofMethod(Syntax.Member member, String name, List<Syntax> arguments, ClosureScope scope) {
        var object = expressions.value(member.object(), scope);
        var method = method(member, name, arguments, scope);
        var isOptional = member.optional();
        return frame -> {
            frame.meter().spend(1);
            var self = object.in(frame);
            if (self == null || isOptional && JsValues.isNullish(self)) {
                return null;
            }
            return method.of(self, frame);
        };
    }

    @FunctionalInterface
    private interface BoundMethod {
        JsonNode of(JsonNode self, ClosureFrame frame);
    }

    private BoundMethod method(Syntax.Member member, String name, List<Syntax> arguments, ClosureScope scope) {
        if (REORDERING.contains(name)) {
            requireOwned(member.object(), scope);
        }
        if (name.equals("sort") || name.equals("toSorted")) {
            return sort(name.equals("toSorted"), arguments, scope);
        }
        var iteration = ClosureLists.ITERATIONS.get(name);
        if (iteration != null) {
            var callback = callback(arguments, scope);
            var rest = arguments(arguments.subList(1, arguments.size()), scope);
            return (self, frame) ->
                    iteration.call(ExactValues.requireList(self), callback, arguments(rest, frame), frame);
        }
        if (!arguments.isEmpty() && arguments.getFirst() instanceof Syntax.RegexLiteral(var pattern)) {
            return search(name, pattern, arguments, scope);
        }
        if (!ClosureLists.METHODS.containsKey(name)
                && !ClosureTexts.METHODS.containsKey(name)
                && !ClosureTexts.OF_NUMBERS.containsKey(name)) {
            throw new SubsetExit("the method " + name);
        }
        var ofLists = ClosureLists.METHODS.get(name);
        var ofTexts = ClosureTexts.METHODS.get(name);
        var ofNumbers = ClosureTexts.OF_NUMBERS.get(name);
        var values = arguments(arguments, scope);
        return (self, frame) -> {
            var given = arguments(values, frame);
            if (ofLists != null && self instanceof ArrayNode list) {
                return ofLists.call(list, given, frame);
            }
            if (ofTexts != null && self.isTextual()) {
                return ofTexts.call(self, given, frame);
            }
            if (ofNumbers != null && self.isNumber()) {
                return ofNumbers.call(self, given, frame);
            }
            throw new SubsetExit("a method of a value of another type");
        };
    }

    private static void requireOwned(Syntax object, ClosureScope scope) {
        if (object instanceof Syntax.Local(var name)) {
            OwnedValues.require(name, scope);
        } else if (!OwnedValues.isMadeBy(object, scope)) {
            throw new SubsetExit("a change of a value that the code has not made");
        }
    }

    private static BoundMethod sort(boolean copies, List<Syntax> arguments, ClosureScope scope) {
        if (arguments.size() > 1) {
            throw new SubsetExit("a sort with further arguments");
        }
        var order = arguments.isEmpty() ? SortOrder.OF_TEXTS : SortOrder.of(arguments.getFirst(), scope);
        return (self, frame) -> order.sorted(ExactValues.requireList(self), copies, frame);
    }

    private BoundMethod search(String name, JsPattern pattern, List<Syntax> arguments, ClosureScope scope) {
        if (!ClosureTexts.PATTERN_METHODS.contains(name)) {
            throw new SubsetExit("the method " + name + " with a regular expression");
        }
        var node = pattern(pattern);
        var rest = arguments(arguments.subList(1, arguments.size()), scope);
        return (self, frame) -> {
            var given = new ArrayList<JsonNode>();
            given.add(self);
            given.add(node);
            given.addAll(arguments(rest, frame));
            return ClosureTexts.ofPattern(name, pattern, self, given, frame);
        };
    }

    private ListCallback callback(List<Syntax> arguments, ClosureScope scope) {
        if (arguments.isEmpty()) {
            throw new SubsetExit("a method without its function");
        }
        return switch (arguments.getFirst()) {
            case Syntax.Arrow arrow -> functions.function(arrow, scope)::call;
            case Syntax.Local(var name)
            when scope.find(name) instanceof Meaning.Function(var depth, var function) -> {
                var levels = scope.level().depth() - depth;
                yield (frame, values) -> function.call(frame.up(levels), values);
            }
            case Syntax.Global(var name)
            when ClosureGlobals.CONVERSIONS.contains(name) && scope.find(name) == null -> {
                var conversion = ClosureGlobals.FUNCTIONS.get(name);
                yield (frame, values) -> {
                    frame.meter().spend(1);
                    return conversion.call(List.of(values[0]), frame);
                };
            }
            default -> throw new SubsetExit("a function of another kind");
        };
    }

    private List<ClosureExpressions.Element> arguments(List<Syntax> arguments, ClosureScope scope) {
        return arguments.stream()
                .map(argument -> argument instanceof Syntax.Spread
                        ? expressions.element(argument, scope)
                        : new ClosureExpressions.Element(expressions.value(argument, scope), false))
                .toList();
    }

    private static List<JsonNode> arguments(List<ClosureExpressions.Element> arguments, ClosureFrame frame) {
        if (arguments.isEmpty()) {
            return List.of();
        }
        var values = new ArrayList<JsonNode>(arguments.size());
        for (var argument : arguments) {
            var value = argument.value().in(frame);
            if (argument.isSpread()) {
                for (var item : ExactValues.requireList(value)) {
                    frame.meter().element();
                    values.add(item);
                }
            } else {
                values.add(value);
            }
        }
        return values;
    }
}
