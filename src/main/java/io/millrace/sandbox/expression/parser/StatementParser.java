package io.millrace.sandbox.expression.parser;

import io.millrace.sandbox.expression.syntax.Binding;
import io.millrace.sandbox.expression.syntax.CodeStatement;
import io.millrace.sandbox.expression.syntax.InfixOperator;
import io.millrace.sandbox.expression.syntax.Lexeme;
import io.millrace.sandbox.expression.syntax.LexemeCursor;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.syntax.SyntaxProblem;
import io.millrace.sandbox.expression.value.JsNumbers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads statements of a code step as the compiler writes them: each has its semicolon. */
final class StatementParser {
    private static final Set<String> DECLARING = Set.of("const", "let", "function");
    private static final String CODE = "code";

    private final Parser parser;
    private final LexemeCursor words;
    private final Names names;

    StatementParser(Parser parser, LexemeCursor words, Names names) {
        this.parser = parser;
        this.words = words;
        this.names = names;
    }

    /** Names that a module declares outside of all brackets: its functions may use those that follow. */
    static Set<String> outerNames(List<Lexeme> lexemes) {
        var found = new HashSet<String>();
        var depth = 0;
        for (var i = 0; i < lexemes.size() - 1; i++) {
            var word = lexemes.get(i);
            if (word.is("{") || word.is("(") || word.is("[")) {
                depth++;
            } else if (word.is("}") || word.is(")") || word.is("]")) {
                depth--;
            } else if (depth == 0
                    && word.kind() == Lexeme.Kind.NAME
                    && DECLARING.contains(word.text())
                    && lexemes.get(i + 1).kind() == Lexeme.Kind.NAME) {
                found.add(lexemes.get(i + 1).text());
            }
        }
        return found;
    }

    CodeModuleSyntax module(Set<String> outerNames) {
        names.open(outerNames.stream().<Binding>map(Binding.Name::new).toList());
        var statements = new ArrayList<CodeStatement>();
        Syntax.Arrow code = null;
        while (words.peek().kind() != Lexeme.Kind.END) {
            var start = words.peek().start();
            var declaration = declaration(true);
            if (declaration.target() instanceof Binding.Name(var name) && name.equals(CODE)) {
                if (code != null || !(declaration.value() instanceof Syntax.Arrow function)) {
                    throw SyntaxProblem.beyond(start, "a module without one function 'code'");
                }
                code = function;
            } else {
                statements.add(declaration);
            }
        }
        if (code == null) {
            throw SyntaxProblem.beyond(0, "a module without a function 'code'");
        }
        names.close();
        return new CodeModuleSyntax(List.copyOf(statements), code);
    }

    List<CodeStatement> block() {
        words.expect("{");
        names.open(List.of());
        var statements = new ArrayList<CodeStatement>();
        while (!words.accept("}")) {
            statements.add(statement());
        }
        names.close();
        return List.copyOf(statements);
    }

    private List<CodeStatement> body() {
        return words.peek().is("{") ? block() : List.of(statement());
    }

    private CodeStatement statement() {
        words.enter();
        var first = words.peek();
        var statement = first.kind() != Lexeme.Kind.NAME
                ? simple()
                : switch (first.text()) {
                    case "const", "let", "function" -> declaration(false);
                    case "if" -> branch();
                    case "for" -> forOf();
                    case "return" -> returned();
                    case "break", "continue" -> jump();
                    default -> simple();
                };
        words.leave();
        return statement;
    }

    private CodeStatement.Declaration declaration(boolean isOuter) {
        var kind = words.next();
        if (isOuter && kind.isName("async") && words.peek().isName("function")) {
            return function(words.next(), true);
        }
        if (kind.isName("function")) {
            return function(kind, false);
        }
        if (!kind.isName("const") && !kind.isName("let")) {
            throw SyntaxProblem.beyond(kind.start(), "a statement other than a declaration");
        }
        var target = target();
        var value = words.accept("=") ? value(isOuter, target) : Parser.undefined();
        words.expect(";");
        names.declare(target);
        return new CodeStatement.Declaration(kind.isName("const"), target, value);
    }

    /** A value; the function {@code code} may be asynchronous, because its caller awaits it. */
    private Syntax value(boolean isOuter, Binding target) {
        var isCode = isOuter && target instanceof Binding.Name(var name) && name.equals(CODE);
        if (isCode && words.peek().isName("async")) {
            words.next();
        }
        return parser.expression();
    }

    private CodeStatement.Declaration function(Lexeme keyword, boolean isAsync) {
        var name = words.next();
        if (name.kind() != Lexeme.Kind.NAME || isAsync && !name.isName(CODE)) {
            throw SyntaxProblem.beyond(keyword.start(), "a function of another kind");
        }
        var mark = names.mark();
        var parameters = parser.arguments().stream().map(PrimaryParser::binding).toList();
        names.forgetSince(mark);
        names.open(parameters);
        var body = new Syntax.Block(block());
        names.close();
        var target = new Binding.Name(name.text());
        names.declare(target);
        return new CodeStatement.Declaration(true, target, new Syntax.Arrow(parameters, body));
    }

    private Binding target() {
        words.enter();
        var first = words.next();
        Binding target;
        if (first.is("{")) {
            target = new Binding.ObjectPattern(fields());
        } else if (first.is("[")) {
            target = new Binding.Elements(elements());
        } else if (first.kind() == Lexeme.Kind.NAME) {
            target = new Binding.Name(first.text());
        } else {
            throw SyntaxProblem.expected("the name of a variable", first);
        }
        words.leave();
        return target;
    }

    private List<Binding.Field> fields() {
        var fields = new ArrayList<Binding.Field>();
        while (!words.accept("}")) {
            if (words.accept("...")) {
                fields.add(new Binding.Field("", new Binding.Rest(target())));
            } else {
                var key = words.next();
                if (key.kind() != Lexeme.Kind.NAME && key.kind() != Lexeme.Kind.TEXT) {
                    throw SyntaxProblem.expected("the name of a property", key);
                }
                if (key.kind() == Lexeme.Kind.TEXT && !words.peek().is(":")) {
                    throw SyntaxProblem.expected("':'", words.peek());
                }
                fields.add(new Binding.Field(key.text(), words.accept(":") ? target() : new Binding.Name(key.text())));
            }
            if (!words.peek().is("}")) {
                words.expect(",");
            }
        }
        return List.copyOf(fields);
    }

    private List<Binding> elements() {
        var elements = new ArrayList<Binding>();
        while (!words.accept("]")) {
            elements.add(words.accept("...") ? new Binding.Rest(target()) : target());
            if (!words.peek().is("]")) {
                words.expect(",");
            }
        }
        return List.copyOf(elements);
    }

    private CodeStatement branch() {
        words.next();
        words.expect("(");
        var test = parser.expression();
        words.expect(")");
        var whenTrue = body();
        if (!words.peek().isName("else")) {
            return new CodeStatement.Branch(test, whenTrue, List.of());
        }
        words.next();
        return new CodeStatement.Branch(test, whenTrue, body());
    }

    private CodeStatement forOf() {
        words.next();
        words.expect("(");
        var kind = words.next();
        if (!kind.isName("const") && !kind.isName("let")) {
            throw SyntaxProblem.beyond(kind.start(), "a loop of another kind");
        }
        var target = target();
        if (!words.next().isName("of")) {
            throw SyntaxProblem.beyond(kind.start(), "a loop of another kind");
        }
        var values = parser.expression();
        words.expect(")");
        names.open(List.of(target));
        var body = body();
        names.close();
        return new CodeStatement.ForOf(target, values, body);
    }

    private CodeStatement returned() {
        words.next();
        var value = words.peek().is(";") ? Parser.undefined() : parser.expression();
        words.expect(";");
        return new CodeStatement.Return(value);
    }

    private CodeStatement jump() {
        var isBreak = words.next().isName("break");
        words.expect(";");
        return new CodeStatement.Jump(isBreak);
    }

    private CodeStatement simple() {
        var first = words.peek();
        var second = words.peekSecond();
        var isVariable = first.kind() == Lexeme.Kind.NAME;
        if (isVariable && (second.is("++") || second.is("--"))) {
            words.next();
            return step(first.text(), words.next());
        }
        var target = parser.chain();
        var operator = words.peek();
        if (!Parser.isAssignment(operator)) {
            words.expect(";");
            return new CodeStatement.Call(target);
        }
        words.next();
        var infix = InfixOperator.ofAssignment(operator.text());
        if (infix == null != operator.is("=") || infix != null && infix.isLazy()) {
            throw SyntaxProblem.beyond(operator.start(), "an assignment");
        }
        var operand = parser.expression();
        words.expect(";");
        return switch (target) {
            case Syntax.Local(var name) -> new CodeStatement.Assignment(name, infix, operand);
            case Syntax.Member(Syntax.Local(var name), var key, var isOptional)
            when !isOptional -> new CodeStatement.MemberAssignment(name, key, infix, operand);
            default -> throw SyntaxProblem.beyond(operator.start(), "an assignment");
        };
    }

    /** A step is a subtraction, because an addition would join texts. */
    private CodeStatement step(String name, Lexeme operator) {
        words.expect(";");
        return new CodeStatement.Assignment(
                name, InfixOperator.SUBTRACT, new Syntax.Literal(JsNumbers.node(operator.is("++") ? -1 : 1)));
    }
}
