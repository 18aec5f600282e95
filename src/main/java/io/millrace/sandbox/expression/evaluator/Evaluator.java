package io.millrace.sandbox.expression.evaluator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.MemberPath;
import io.millrace.sandbox.expression.value.Meter;
import io.millrace.sandbox.expression.value.OpaqueValue;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Evaluates the syntax trees of one input's expressions. Every node, element and character is metered; lists and objects that were
 * not made here are never changed.
 */
public final class Evaluator {
    private static final JsonNode UNDEFINED = MissingNode.getInstance();

    private final ExpressionScope scope;
    private final Meter meter;
    private IdentityHashMap<JsonNode, MatchDetails> matches;
    private boolean hasBuilt;

    public Evaluator(ExpressionScope scope, Meter meter) {
        this.scope = scope;
        this.meter = meter;
    }

    record MatchDetails(JsonNode index, JsonNode groups) {
        /** Value of the property; null if there is none of that name. */
        JsonNode member(String name) {
            return switch (name) {
                case "index" -> index;
                case "groups" -> groups;
                default -> null;
            };
        }
    }

    void remember(JsonNode match, MatchDetails details) {
        if (matches == null) {
            matches = new IdentityHashMap<>();
        }
        matches.put(match, details);
    }

    /** Null when the value is not the list of a match. */
    MatchDetails matchDetails(JsonNode value) {
        return matches == null ? null : matches.get(value);
    }

    public ExpressionScope scope() {
        return scope;
    }

    public Meter meter() {
        return meter;
    }

    /** Evaluates a whole expression and converts values in the result that JSON lacks. */
    public JsonNode run(Syntax syntax) {
        meter.surface();
        hasBuilt = false;
        var value = evaluate(syntax, null);
        return hasBuilt || value.isPojo() ? Results.clean(value, meter) : value;
    }

    JsonNode evaluate(Syntax syntax, CallFrame frame) {
        meter.enter();
        var value = switch (syntax) {
            case Syntax.Literal(var literal) -> literal;
            case Syntax.Local(var name) -> frame.get(name, meter);
            case Syntax.Global(var name) -> Globals.get(name);
            case Syntax.Path(var path) -> path.walkStrictly(scope);
            case Syntax.Member _, Syntax.Call _ -> orUndefined(link(syntax, frame));
            case Syntax.Chain(var links) -> orUndefined(link(links, frame));
            case Syntax.Construct construct -> construct(construct, frame);
            case Syntax.Prefix prefix -> prefix(prefix, frame);
            case Syntax.Infix infix -> infix(infix, frame);
            case Syntax.Conditional(var test, var whenTrue, var whenFalse) ->
                evaluate(JsValues.isTruthy(evaluate(test, frame)) ? whenTrue : whenFalse, frame);
            case Syntax.ListLiteral(var elements) -> listOf(elements, frame);
            case Syntax.ObjectLiteral(var properties) -> objectOf(properties, frame);
            case Syntax.Spread _ -> throw JsError.syntax("unexpected spread");
            case Syntax.TemplateLiteral template -> text(template, frame);
            case Syntax.Arrow arrow -> function(arrow, frame);
            case Syntax.RegexLiteral(var pattern) -> Members.regex(pattern);
            case Syntax.Block _ -> throw JsError.syntax("unexpected statements");
        };
        meter.leave();
        return value;
    }

    JsonNode call(OpaqueValue.Callable function, JsonNode... arguments) {
        return Functions.call(function, this, Arguments.of(arguments));
    }

    /** {@code String(value)}. */
    public String text(JsonNode value) {
        return JsText.of(value, meter);
    }

    public JsonNode made(String text) {
        meter.text(text.length());
        return TextNode.valueOf(text);
    }

    /** A list to be filled with {@link #add}. */
    public ArrayNode newList() {
        hasBuilt = true;
        return Json.array();
    }

    /** An object to be filled with {@link #put}. */
    ObjectNode newObject() {
        hasBuilt = true;
        return Json.object();
    }

    public void add(ArrayNode list, JsonNode item) {
        if (list.size() >= Meter.LIST_SIZE_MAX) {
            meter.list(list.size() + 1L);
        }
        meter.element();
        list.add(item);
    }

    void put(ObjectNode object, String key, JsonNode value) {
        meter.element();
        meter.key(key);
        if (!MemberPath.isRefused(key)) {
            object.set(key, value);
        }
    }

    Iterable<JsonNode> elementsOf(JsonNode value) {
        return switch (value) {
            case ArrayNode list -> list;
            case TextNode word -> {
                meter.list(word.textValue().length());
                yield word.textValue()
                        .codePoints()
                        .mapToObj(Character::toString)
                        .map(character -> (JsonNode) TextNode.valueOf(character))
                        .toList();
            }
            default -> throw JsError.type("value is not iterable");
        };
    }

    private static JsonNode orUndefined(JsonNode value) {
        return value == null ? UNDEFINED : value;
    }

    /** Value of one link of a chain; null if an optional link before it ended the chain. */
    private JsonNode link(Syntax syntax, CallFrame frame) {
        return switch (syntax) {
            case Syntax.Member member -> member(member, frame);
            case Syntax.Call call -> call(call, frame);
            default -> evaluate(syntax, frame);
        };
    }

    private JsonNode innerLink(Syntax syntax, CallFrame frame) {
        meter.enter();
        var value = link(syntax, frame);
        meter.leave();
        return value;
    }

    private JsonNode member(Syntax.Member member, CallFrame frame) {
        var object = innerLink(member.object(), frame);
        if (object == null || member.optional() && JsValues.isNullish(object)) {
            return null;
        }
        return Members.get(object, evaluate(member.key(), frame), this);
    }

    private JsonNode call(Syntax.Call call, CallFrame frame) {
        if (call.callee() instanceof Syntax.Member member) {
            var object = innerLink(member.object(), frame);
            if (object == null || member.optional() && JsValues.isNullish(object)) {
                return null;
            }
            var name = text(evaluate(member.key(), frame));
            meter.key(name);
            if (call.optional() && !Methods.has(object, name)) {
                return null;
            }
            return Methods.call(this, object, name, arguments(call.arguments(), frame));
        }
        var callee = innerLink(call.callee(), frame);
        if (callee == null || call.optional() && JsValues.isNullish(callee)) {
            return null;
        }
        var function = OpaqueValue.callableIn(callee);
        if (function == null) {
            throw JsError.type("value is not a function");
        }
        return Functions.call(function, this, arguments(call.arguments(), frame));
    }

    private Arguments arguments(List<Syntax> syntaxes, CallFrame frame) {
        if (syntaxes.isEmpty()) {
            return Arguments.NONE;
        }
        var values = new ArrayList<JsonNode>(syntaxes.size());
        for (var syntax : syntaxes) {
            if (syntax instanceof Syntax.Spread(var spread)) {
                for (var value : elementsOf(evaluate(spread, frame))) {
                    meter.element();
                    values.add(value);
                }
            } else {
                values.add(evaluate(syntax, frame));
            }
        }
        return new Arguments(values);
    }

    private JsonNode construct(Syntax.Construct construct, CallFrame frame) {
        var arguments = arguments(construct.arguments(), frame);
        return switch (construct.type()) {
            case "Date" -> DateMethods.construct(this, arguments);
            default -> Functions.call(OpaqueValue.callableIn(Globals.get(construct.type())), this, arguments);
        };
    }

    private JsonNode prefix(Syntax.Prefix prefix, CallFrame frame) {
        if (prefix.operator().equals("typeof")
                && prefix.operand() instanceof Syntax.Path(var path)
                && path.isUnknown(scope)) {
            return TextNode.valueOf("undefined");
        }
        var value = evaluate(prefix.operand(), frame);
        return switch (prefix.operator()) {
            case "!" -> BooleanNode.valueOf(!JsValues.isTruthy(value));
            case "-" -> JsNumbers.node(-JsNumbers.of(value, meter));
            case "+" -> JsNumbers.node(JsNumbers.of(value, meter));
            case "~" -> JsNumbers.node(~JsNumbers.int32(JsNumbers.of(value, meter)));
            case "typeof" -> TextNode.valueOf(JsValues.typeOf(value));
            default -> UNDEFINED;
        };
    }

    private JsonNode infix(Syntax.Infix infix, CallFrame frame) {
        var left = evaluate(infix.left(), frame);
        if (infix.operator().isLazy()) {
            var decided = switch (infix.operator()) {
                case OR -> JsValues.isTruthy(left);
                case AND -> !JsValues.isTruthy(left);
                default -> !JsValues.isNullish(left);
            };
            return decided ? left : evaluate(infix.right(), frame);
        }
        return Operations.apply(this, infix.operator(), left, evaluate(infix.right(), frame));
    }

    private JsonNode listOf(List<Syntax> elements, CallFrame frame) {
        var list = newList();
        for (var element : elements) {
            if (element instanceof Syntax.Spread(var spread)) {
                elementsOf(evaluate(spread, frame)).forEach(item -> add(list, item));
            } else {
                add(list, evaluate(element, frame));
            }
        }
        return list;
    }

    private JsonNode objectOf(List<Syntax.ObjectProperty> properties, CallFrame frame) {
        var object = newObject();
        for (var property : properties) {
            if (property.key() == null) {
                var spread = (Syntax.Spread) property.value();
                ObjectGlobal.copy(this, evaluate(spread.values(), frame), object);
            } else {
                put(object, text(evaluate(property.key(), frame)), evaluate(property.value(), frame));
            }
        }
        return object;
    }

    private JsonNode text(Syntax.TemplateLiteral template, CallFrame frame) {
        var result = new StringBuilder(template.texts().getFirst());
        for (var i = 0; i < template.values().size(); i++) {
            var value = text(evaluate(template.values().get(i), frame));
            result.append(value).append(template.texts().get(i + 1));
            meter.grown(result, value.length());
        }
        return made(result.toString());
    }

    private JsonNode function(Syntax.Arrow arrow, CallFrame outer) {
        return Functions.of("", (evaluator, arguments) -> {
            var frame = new CallFrame(outer);
            Binder.bind(evaluator, arrow.parameters(), arguments.all(), frame);
            return evaluator.evaluate(arrow.body(), frame);
        });
    }
}
