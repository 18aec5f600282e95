package io.millrace.sandbox.expression.formula;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.parser.Tokeniser;
import io.millrace.sandbox.expression.syntax.LexemeCursor;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the grammar of formulas (contract flows-and-engine 32.1): arithmetic, comparison, {@code and}, {@code or}, {@code
 * not}, the ternary, text concatenation by two bars, lists and calls whose arguments a semicolon separates.
 */
final class FormulaParser {
    /** Operators that are also accepted as names of calls. */
    private static final List<String> COMPARISONS = List.of("==", "!=", "<=", ">=", "<", ">");

    private static final List<String> SUMS = List.of("||", "+", "-");
    private static final List<String> PRODUCTS = List.of("*", "/", "%");

    private final FormulaReader reader;
    private ExpressionFailure unknown;
    private int nesting;

    private FormulaParser(FormulaReader reader) {
        this.reader = reader;
    }

    /**
     * A formula that can be evaluated.
     *
     * @param unknown failure of its first unknown name; it fails only where the name is evaluated
     */
    record Outcome(FormulaSyntax syntax, Optional<ExpressionFailure> unknown) {}

    /**
     * Parses a whole formula.
     *
     * @throws ExpressionFailure when it is none
     */
    static Outcome parse(String source, List<Tokeniser.Token> tokens) {
        var parser = new FormulaParser(new FormulaReader(source, tokens));
        var syntax = parser.expression();
        if (parser.reader.skipSpace()) {
            throw FormulaFailure.invalid();
        }
        return new Outcome(syntax, Optional.ofNullable(parser.unknown));
    }

    private FormulaSyntax expression() {
        enter();
        var test = either();
        while (reader.accept("?")) {
            var whenTrue = expression();
            if (!reader.accept(":")) {
                throw FormulaFailure.invalid();
            }
            test = new FormulaSyntax.Conditional(test, whenTrue, expression());
        }
        nesting--;
        return test;
    }

    private FormulaSyntax either() {
        var left = both();
        while (reader.acceptWord("or")) {
            left = new FormulaSyntax.Infix("or", left, both());
        }
        return left;
    }

    private FormulaSyntax both() {
        var left = comparison();
        while (reader.acceptWord("and")) {
            left = new FormulaSyntax.Infix("and", left, comparison());
        }
        return left;
    }

    private FormulaSyntax comparison() {
        var left = sum();
        for (var operator = oneOf(COMPARISONS); operator != null; operator = oneOf(COMPARISONS)) {
            left = new FormulaSyntax.Infix(operator, left, sum());
        }
        return left;
    }

    private FormulaSyntax sum() {
        var left = product();
        for (var operator = oneOf(SUMS); operator != null; operator = oneOf(SUMS)) {
            left = new FormulaSyntax.Infix(operator, left, product());
        }
        return left;
    }

    private FormulaSyntax product() {
        var left = factor();
        for (var operator = oneOf(PRODUCTS); operator != null; operator = oneOf(PRODUCTS)) {
            left = new FormulaSyntax.Infix(operator, left, factor());
        }
        return left;
    }

    private String oneOf(List<String> operators) {
        return operators.stream().filter(reader::accept).findFirst().orElse(null);
    }

    private FormulaSyntax factor() {
        enter();
        var operator = oneOf(List.of("-", "+"));
        var factor = operator == null ? power() : new FormulaSyntax.Prefix(operator, factor());
        nesting--;
        return factor;
    }

    private FormulaSyntax power() {
        var base = chain();
        while (reader.accept("^")) {
            base = new FormulaSyntax.Infix("^", base, factor());
        }
        return base;
    }

    private FormulaSyntax chain() {
        var value = atom();
        while (true) {
            if (reader.accept(".")) {
                var name = reader.name();
                if (name.isEmpty()) {
                    throw FormulaFailure.invalid();
                }
                value = new FormulaSyntax.Member(value, new FormulaSyntax.Constant(TextNode.valueOf(name)));
            } else if (reader.accept("[")) {
                value = new FormulaSyntax.Member(value, expression());
                expect("]");
            } else {
                return value;
            }
        }
    }

    private FormulaSyntax atom() {
        if (!reader.skipSpace()) {
            throw FormulaFailure.invalid();
        }
        var token = reader.acceptToken();
        if (token.isPresent()) {
            return new FormulaSyntax.Token(token.get());
        }
        return switch (reader.peek()) {
            case '"', '\'' -> reader.quoted();
            case '(' -> parenthesised();
            case '[' -> list();
            case '.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> named();
        };
    }

    private FormulaSyntax parenthesised() {
        expect("(");
        var inside = expression();
        expect(")");
        return inside;
    }

    private FormulaSyntax list() {
        var objects = reader.jsonList();
        if (objects.isPresent()) {
            return new FormulaSyntax.Constant(objects.get());
        }
        expect("[");
        var elements = new ArrayList<FormulaSyntax>();
        while (!reader.accept("]")) {
            if (!elements.isEmpty() && !reader.accept(",") && !reader.accept(";")) {
                throw FormulaFailure.invalid();
            }
            elements.add(expression());
        }
        return new FormulaSyntax.ListLiteral(List.copyOf(elements));
    }

    private FormulaSyntax number() {
        var number = reader.number();
        if (Double.isNaN(number)) {
            throw FormulaFailure.invalid();
        }
        return new FormulaSyntax.Constant(JsNumbers.node(number));
    }

    private FormulaSyntax named() {
        var name = reader.name();
        if (name.isEmpty()) {
            throw FormulaFailure.invalid();
        }
        var function = FormulaFunctions.get(name);
        if (reader.accept("(")) {
            return function == null ? unknownCall(name) : call(function);
        }
        return switch (name) {
            case "not" -> new FormulaSyntax.Prefix("not", factor());
            case "true" -> new FormulaSyntax.Constant(BooleanNode.TRUE);
            case "false" -> new FormulaSyntax.Constant(BooleanNode.FALSE);
            case "PI" -> new FormulaSyntax.Constant(JsNumbers.node(Math.PI));
            case "E" -> new FormulaSyntax.Constant(JsNumbers.node(Math.E));
            default -> unknown(name);
        };
    }

    private FormulaSyntax unknown(String name) {
        unknown = unknown == null ? FormulaFailure.unknown(name) : unknown;
        return new FormulaSyntax.Unknown(name);
    }

    /** Reads the arguments of an unknown function too, so that a syntax error in them is reported. */
    private FormulaSyntax unknownCall(String name) {
        while (!reader.accept(")")) {
            expression();
            if (!reader.accept(";")) {
                reader.accept(",");
            }
        }
        return unknown(name);
    }

    private FormulaSyntax call(FormulaFunction function) {
        var arguments = new ArrayList<FormulaSyntax>();
        var separators = 0;
        if (!reader.accept(")")) {
            do {
                argument(function, arguments, separators++);
            } while (reader.accept(";"));
            expect(")");
        }
        if (function.name().equals("length") && arguments.size() != 1) {
            throw FormulaFailure.invalid();
        }
        return function.name().equals("if") && separators == 3 && arguments.size() == 3
                ? new FormulaSyntax.Conditional(arguments.get(0), arguments.get(1), arguments.get(2))
                : new FormulaSyntax.Call(function, List.copyOf(arguments));
    }

    /** Reads the text between two separators; a comma divides it further, unless it is bare text. */
    private void argument(FormulaFunction function, List<FormulaSyntax> arguments, int position) {
        var end = reader.endOfArgument();
        if (reader.argument(end).isEmpty()) {
            throw FormulaFailure.missingValue(function.name(), position + 1);
        }
        if (function.takesText(position) && isBare(reader.argument(end))) {
            arguments.add(reader.bareText(end));
            return;
        }
        do {
            arguments.add(expression());
        } while (reader.accept(","));
    }

    /** True if an argument is bare text: not quoted, no token or list of objects, no call of a function. */
    private boolean isBare(String argument) {
        var first = argument.charAt(0);
        var isQuoted = (first == '"' || first == '\'') && argument.charAt(argument.length() - 1) == first;
        if (isQuoted || reader.beginsWithValue()) {
            return false;
        }
        var name = new FormulaReader(argument, List.of());
        var function = FormulaFunctions.get(name.name());
        return function == null || !name.accept("(");
    }

    private void expect(String symbol) {
        if (!reader.accept(symbol)) {
            throw FormulaFailure.invalid();
        }
    }

    private void enter() {
        if (++nesting > LexemeCursor.NESTING_MAX) {
            throw FormulaFailure.invalid();
        }
    }
}
