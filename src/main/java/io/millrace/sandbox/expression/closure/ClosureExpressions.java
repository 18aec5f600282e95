package io.millrace.sandbox.expression.closure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.closure.ClosureScope.Meaning;
import io.millrace.sandbox.expression.syntax.InfixOperator;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.List;

final class ClosureExpressions {
    /** Keeps the thread's stack safe: a chain of operators nests as deep as it is long. */
    private static final int DEPTH_MAX = 150;

    private static final String PROTOTYPE = "__proto__";

    private final ClosureCalls calls;
    private int depth;

    ClosureExpressions(ClosureCompiler functions) {
        this.calls = new ClosureCalls(this, functions);
    }

    Computation value(Syntax syntax, ClosureScope scope) {
        if (++depth > DEPTH_MAX) {
            throw new SubsetExit("a deep expression");
        }
        var compiled = compiled(syntax, scope);
        depth--;
        return compiled;
    }

    Computation dropped(Syntax syntax, ClosureScope scope) {
        if (syntax instanceof Syntax.Call call) {
            return calls.compiled(call, scope, true);
        }
        throw new SubsetExit("an expression without a use");
    }

    private Computation compiled(Syntax syntax, ClosureScope scope) {
        return switch (syntax) {
            case Syntax.Literal(var literal) -> literal(literal);
            case Syntax.Local(var name) -> variable(name, scope);
            case Syntax.Member member -> member(member, scope);
            case Syntax.Call call -> calls.compiled(call, scope, false);
            case Syntax.Chain(var links) -> {
                var chain = value(links, scope);
                yield frame -> {
                    var end = chain.in(frame);
                    return end == null ? ExactValues.UNDEFINED : end;
                };
            }
            case Syntax.Prefix prefix -> prefix(prefix, scope);
            case Syntax.Infix infix -> infix(infix, scope);
            case Syntax.Conditional(var test, var whenTrue, var whenFalse) -> {
                var condition = value(test, scope);
                var first = value(whenTrue, scope);
                var second = value(whenFalse, scope);
                yield frame -> {
                    frame.meter().spend(1);
                    return JsValues.isTruthy(condition.in(frame)) ? first.in(frame) : second.in(frame);
                };
            }
            case Syntax.ListLiteral(var elements) -> list(elements, scope);
            case Syntax.ObjectLiteral(var properties) -> object(properties, scope);
            case Syntax.TemplateLiteral template -> template(template, scope);
            case Syntax.Global _,
                    Syntax.Path _,
                    Syntax.Construct _,
                    Syntax.Spread _,
                    Syntax.Arrow _,
                    Syntax.Block _,
                    Syntax.RegexLiteral _ -> throw new SubsetExit("an expression of another kind");
        };
    }

    private static Computation literal(JsonNode literal) {
        if (literal.isNumber() && !ExactValues.isExact(literal.doubleValue())) {
            throw new SubsetExit("a number beyond the subset");
        }
        return frame -> {
            frame.meter().spend(1);
            return literal;
        };
    }

    private static Computation variable(String name, ClosureScope scope) {
        if (!(scope.find(name) instanceof Meaning.FrameVariable variable)) {
            throw new SubsetExit("a name that is no variable yet");
        }
        var slot = variable.slot();
        var levels = scope.level().depth() - variable.depth();
        if (levels == 0) {
            return frame -> {
                frame.meter().spend(1);
                return frame.get(slot);
            };
        }
        return frame -> {
            frame.meter().spend(1);
            return frame.up(levels).get(slot);
        };
    }

    /** Compiles the object before a member: its closure is null if an optional link before it has ended the chain. */
    private Computation member(Syntax.Member member, ClosureScope scope) {
        if (member.object() instanceof Syntax.Global(var global)) {
            return calls.constant(global, member.key(), scope);
        }
        var object = value(member.object(), scope);
        var isOptional = member.optional();
        if (member.key() instanceof Syntax.Literal(var text) && text.isTextual()) {
            var name = text.textValue();
            if (name.equals(PROTOTYPE) || name.equals("constructor") || name.equals("prototype")) {
                throw new SubsetExit("a member that leads to functions");
            }
            return frame -> {
                frame.meter().spend(1);
                var value = object.in(frame);
                return value == null || isOptional && JsValues.isNullish(value)
                        ? null
                        : ExactValues.member(value, name);
            };
        }
        var key = value(member.key(), scope);
        return frame -> {
            frame.meter().spend(1);
            var value = object.in(frame);
            if (value == null || isOptional && JsValues.isNullish(value)) {
                return null;
            }
            var name = key.in(frame);
            if (name.isTextual()) {
                frame.meter().key(name.textValue());
            }
            return ExactValues.member(value, name);
        };
    }

    private Computation prefix(Syntax.Prefix prefix, ClosureScope scope) {
        var operand = value(prefix.operand(), scope);
        Computation result = switch (prefix.operator()) {
            case "!" -> frame -> BooleanNode.valueOf(!JsValues.isTruthy(operand.in(frame)));
            case "-" -> frame -> ExactValues.number(-ExactValues.numeric(operand.in(frame), frame.meter()));
            case "+" -> frame -> ExactValues.number(ExactValues.numeric(operand.in(frame), frame.meter()));
            case "~" -> frame -> ExactValues.number(~ExactValues.bits(operand.in(frame)));
            case "typeof" -> frame -> TextNode.valueOf(JsValues.typeOf(operand.in(frame)));
            case "void" ->
                frame -> {
                    operand.in(frame);
                    return ExactValues.UNDEFINED;
                };
            default -> throw new SubsetExit("the operator " + prefix.operator());
        };
        return frame -> {
            frame.meter().spend(1);
            return result.in(frame);
        };
    }

    private Computation infix(Syntax.Infix infix, ClosureScope scope) {
        var left = value(infix.left(), scope);
        var right = value(infix.right(), scope);
        var operator = infix.operator();
        return switch (operator) {
            case OR ->
                frame -> {
                    frame.meter().spend(1);
                    var first = left.in(frame);
                    return JsValues.isTruthy(first) ? first : right.in(frame);
                };
            case AND ->
                frame -> {
                    frame.meter().spend(1);
                    var first = left.in(frame);
                    return JsValues.isTruthy(first) ? right.in(frame) : first;
                };
            case IF_NULLISH ->
                frame -> {
                    frame.meter().spend(1);
                    var first = left.in(frame);
                    return JsValues.isNullish(first) ? right.in(frame) : first;
                };
            case POWER, IN -> throw new SubsetExit("the operator " + operator);
            default ->
                frame -> {
                    frame.meter().spend(1);
                    return apply(operator, left, right, frame);
                };
        };
    }

    private static JsonNode apply(InfixOperator operator, Computation left, Computation right, ClosureFrame frame) {
        var first = left.in(frame);
        return ExactValues.apply(operator, first, right.in(frame), frame.meter());
    }

    private Computation list(List<Syntax> elements, ClosureScope scope) {
        var values = elements.stream().map(element -> element(element, scope)).toList();
        return frame -> {
            frame.meter().spend(1);
            var list = Json.array();
            for (var value : values) {
                if (value.isSpread()) {
                    for (var item : ExactValues.requireList(value.value().in(frame))) {
                        ExactValues.add(list, item, frame.meter());
                    }
                } else {
                    ExactValues.add(list, value.value().in(frame), frame.meter());
                }
            }
            return list;
        };
    }

    record Element(Computation value, boolean isSpread) {}

    Element element(Syntax element, ClosureScope scope) {
        if (element instanceof Syntax.Spread(var values)) {
            return new Element(value(values, scope), true);
        }
        // A hole of a list literal is parsed as undefined, and JavaScript treats it differently.
        if (element instanceof Syntax.Literal(var literal) && literal.isMissingNode()) {
            throw new SubsetExit("an element that may be a hole");
        }
        return new Element(value(element, scope), false);
    }

    /** A property; the key is null for the properties of another object. */
    private record LiteralProperty(Computation key, Computation value) {}

    private Computation object(List<Syntax.ObjectProperty> properties, ClosureScope scope) {
        var compiled = properties.stream()
                .map(property -> property.key() == null
                        ? new LiteralProperty(null, value(((Syntax.Spread) property.value()).values(), scope))
                        : new LiteralProperty(key(property.key(), scope), value(property.value(), scope)))
                .toList();
        return frame -> {
            frame.meter().spend(1);
            var object = Json.object();
            for (var property : compiled) {
                if (property.key() == null) {
                    copy(property.value().in(frame), object, frame);
                } else {
                    var key = ExactValues.requireText(property.key().in(frame));
                    ExactValues.put(object, key, property.value().in(frame), frame.meter());
                }
            }
            return object;
        };
    }

    private Computation key(Syntax key, ClosureScope scope) {
        if (key instanceof Syntax.Literal(var literal) && literal.isTextual()) {
            ExactValues.requirePlainKey(literal.textValue());
        }
        return value(key, scope);
    }

    /** Copies the properties of an object; a nullish value has none. */
    static void copy(JsonNode from, ObjectNode into, ClosureFrame frame) {
        if (JsValues.isNullish(from)) {
            return;
        }
        if (!(from instanceof ObjectNode object)) {
            throw new SubsetExit("the properties of a value that is no object");
        }
        for (var property : object.properties()) {
            ExactValues.put(into, property.getKey(), property.getValue(), frame.meter());
        }
    }

    private Computation template(Syntax.TemplateLiteral template, ClosureScope scope) {
        var texts = template.texts();
        var values =
                template.values().stream().map(value -> value(value, scope)).toList();
        return frame -> {
            var meter = frame.meter();
            var result = new StringBuilder(texts.getFirst());
            for (var index = 0; index < values.size(); index++) {
                var text = ExactValues.text(values.get(index).in(frame), meter);
                result.append(text).append(texts.get(index + 1));
                meter.grown(result, text.length() + texts.get(index + 1).length());
            }
            return ExactValues.made(result.toString(), meter);
        };
    }
}
