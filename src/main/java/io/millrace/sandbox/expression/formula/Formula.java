package io.millrace.sandbox.expression.formula;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.evaluator.Arguments;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.evaluator.Members;
import io.millrace.sandbox.expression.evaluator.Operations;
import io.millrace.sandbox.expression.evaluator.Results;
import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.parser.Tokeniser;
import io.millrace.sandbox.expression.syntax.InfixOperator;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.JsValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A formula, parsed once (contract flows-and-engine 32). Its tokens are evaluated first and passed to it as values; a
 * formula that cannot be read fails when it is evaluated, with the step that contains it.
 */
public final class Formula {
    private static final JsonNode UNDEFINED = MissingNode.getInstance();

    private final String source;
    private final FormulaSyntax syntax;
    private final ExpressionFailure malformed;
    private final Optional<ExpressionFailure> unknown;
    private final List<Expression> tokens;

    private Formula(
            String source,
            FormulaSyntax syntax,
            ExpressionFailure malformed,
            Optional<ExpressionFailure> unknown,
            List<Expression> tokens) {
        this.source = source;
        this.unknown = unknown;
        this.syntax = syntax;
        this.malformed = malformed;
        this.tokens = tokens;
    }

    public static Formula of(String source) {
        var found = Tokeniser.tokens(source);
        var tokens = found.stream().map(token -> Expression.of(token.inner())).toList();
        if (JsText.trim(source).isEmpty()) {
            return new Formula(source, null, null, Optional.empty(), tokens);
        }
        try {
            var parsed = FormulaParser.parse(source, found);
            return new Formula(source, parsed.syntax(), null, parsed.unknown(), tokens);
        } catch (ExpressionFailure malformed) {
            return new Formula(source, null, malformed, Optional.empty(), tokens);
        }
    }

    /** The text between the marks. */
    public String source() {
        return source;
    }

    /** Reason why the formula fails with any values: it cannot be read, or it has an unknown name. The tokens are not checked. */
    public Optional<String> problem() {
        return Optional.ofNullable(malformed).or(() -> unknown).map(FormulaFailure::sentence);
    }

    public List<Expression> tokens() {
        return tokens;
    }

    /** The value; missing when it is empty or has none. */
    public JsonNode evaluate(Evaluator evaluator) {
        if (malformed != null) {
            throw malformed;
        }
        if (syntax == null) {
            return UNDEFINED;
        }
        var values = new ArrayList<JsonNode>(tokens.size());
        for (var token : tokens) {
            var value = token.evaluate(evaluator);
            values.add(value.isMissingNode() ? NullNode.getInstance() : value);
        }
        evaluator.meter().surface();
        try {
            return Results.clean(new Evaluation(evaluator, values).of(syntax), evaluator.meter());
        } catch (JsError impossible) {
            throw FormulaFailure.other();
        }
    }

    private record Evaluation(Evaluator evaluator, List<JsonNode> values) {
        JsonNode of(FormulaSyntax syntax) {
            evaluator.meter().enter();
            var value = switch (syntax) {
                case FormulaSyntax.Constant(var constant) -> constant;
                case FormulaSyntax.Token(var index) -> values.get(index);
                case FormulaSyntax.Inserted(var texts, var first) -> inserted(texts, first);
                case FormulaSyntax.Unknown(var name) -> throw FormulaFailure.unknown(name);
                case FormulaSyntax.Member(var object, var key) -> Members.get(of(object), of(key), evaluator);
                case FormulaSyntax.ListLiteral(var elements) -> list(elements);
                case FormulaSyntax.Prefix(var operator, var operand) -> prefix(operator, of(operand));
                case FormulaSyntax.Infix infix -> infix(infix);
                case FormulaSyntax.Conditional(var test, var whenTrue, var whenFalse) ->
                    of(JsValues.isTruthy(of(test)) ? whenTrue : whenFalse);
                case FormulaSyntax.Call(var function, var arguments) ->
                    function.body()
                            .call(
                                    evaluator,
                                    new Arguments(
                                            arguments.stream().map(this::of).toList()));
            };
            evaluator.meter().leave();
            return value;
        }

        private JsonNode inserted(List<String> texts, int first) {
            var result = new StringBuilder(texts.getFirst());
            for (var i = 1; i < texts.size(); i++) {
                var value = JsText.inserted(values.get(first + i - 1), evaluator.meter());
                result.append(value).append(texts.get(i));
                evaluator.meter().grown(result, value.length() + texts.get(i).length());
            }
            return evaluator.made(result.toString());
        }

        private JsonNode list(List<FormulaSyntax> elements) {
            var list = evaluator.newList();
            elements.forEach(element -> evaluator.add(list, of(element)));
            return list;
        }

        private JsonNode prefix(String operator, JsonNode operand) {
            return switch (operator) {
                case "-" -> JsNumbers.node(-JsNumbers.of(operand, evaluator.meter()));
                case "+" -> JsNumbers.node(JsNumbers.of(operand, evaluator.meter()));
                default -> FormulaFunction.truth(!JsValues.isTruthy(operand));
            };
        }

        private JsonNode infix(FormulaSyntax.Infix infix) {
            var left = of(infix.left());
            return switch (infix.operator()) {
                case "and" -> FormulaFunction.truth(JsValues.isTruthy(left) && JsValues.isTruthy(of(infix.right())));
                case "or" -> FormulaFunction.truth(JsValues.isTruthy(left) || JsValues.isTruthy(of(infix.right())));
                case "+" -> sum(left, of(infix.right()));
                case "||" -> concatenated(left, of(infix.right()));
                default -> Operations.apply(evaluator, operator(infix.operator()), left, of(infix.right()));
            };
        }

        private JsonNode sum(JsonNode left, JsonNode right) {
            var meter = evaluator.meter();
            return JsNumbers.node(JsNumbers.of(left, meter) + JsNumbers.of(right, meter));
        }

        private JsonNode concatenated(JsonNode left, JsonNode right) {
            if (left.isArray() && right.isArray()) {
                var list = evaluator.newList();
                left.forEach(item -> evaluator.add(list, item));
                right.forEach(item -> evaluator.add(list, item));
                return list;
            }
            var first = evaluator.text(left);
            var second = evaluator.text(right);
            evaluator.meter().text((long) first.length() + second.length());
            return TextNode.valueOf(first + second);
        }

        /** Equality is strict here, and the caret is a power. */
        private static InfixOperator operator(String symbol) {
            return switch (symbol) {
                case "==" -> InfixOperator.SAME;
                case "!=" -> InfixOperator.NOT_SAME;
                case "<" -> InfixOperator.LESS;
                case ">" -> InfixOperator.GREATER;
                case "<=" -> InfixOperator.LESS_OR_EQUAL;
                case ">=" -> InfixOperator.GREATER_OR_EQUAL;
                case "-" -> InfixOperator.SUBTRACT;
                case "*" -> InfixOperator.MULTIPLY;
                case "/" -> InfixOperator.DIVIDE;
                case "%" -> InfixOperator.REMAINDER;
                case "^" -> InfixOperator.POWER;
                default -> throw new IllegalStateException("no operator " + symbol);
            };
        }
    }
}
