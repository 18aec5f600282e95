package io.millrace.sandbox.expression.parser;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.evaluator.Globals;
import io.millrace.sandbox.expression.evaluator.Methods;
import io.millrace.sandbox.expression.syntax.Binding;
import io.millrace.sandbox.expression.syntax.InfixOperator;
import io.millrace.sandbox.expression.syntax.Lexeme;
import io.millrace.sandbox.expression.syntax.LexemeCursor;
import io.millrace.sandbox.expression.syntax.Lexer;
import io.millrace.sandbox.expression.syntax.Reference;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.syntax.SyntaxProblem;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.JsValues;
import io.millrace.sandbox.expression.value.MemberPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JavaScript expression grammar: operators, member chains, calls, arrow functions. Literals and names are {@link
 * PrimaryParser}'s. Throws {@link SyntaxProblem} with the position for refused input.
 */
final class Parser {
    private static final Set<String> ASSIGNMENTS = Set.of(
            "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=");

    private static final Set<String> PREFIXES = Set.of("!", "-", "+", "~", "typeof", "void");

    private static final Pattern VARIABLE_NAME = Pattern.compile("[a-zA-Z0-9_]+");

    private final LexemeCursor words;
    private final Names names = new Names();
    private final PrimaryParser primary;
    private final MemberPath.Root secret;
    private final List<String> secretNames = new ArrayList<>();
    private final @Nullable StatementParser statements;

    private Parser(List<Lexeme> lexemes, MemberPath.Root secret, boolean isModule) {
        this.words = new LexemeCursor(lexemes);
        this.primary = new PrimaryParser(this, words, names);
        this.secret = secret;
        this.statements = isModule ? new StatementParser(this, words, names) : null;
    }

    record Result(Syntax syntax, List<Reference> references, List<String> secretNames) {}

    /**
     * Parses a whole expression.
     *
     * @param secret root for {@code connections} or {@code variables}; STEP if neither may be used
     */
    static Result parse(String source, MemberPath.Root secret) {
        var parser = new Parser(new Lexer(source).read(), secret, false);
        var syntax = parser.expression();
        var rest = parser.words.peek();
        if (rest.is(";")) {
            throw SyntaxProblem.beyond(rest.start(), "a statement");
        }
        if (rest.is(",")) {
            throw SyntaxProblem.beyond(rest.start(), "a comma operator");
        }
        if (rest.kind() != Lexeme.Kind.END) {
            throw SyntaxProblem.expected("an operator or the end", rest);
        }
        return new Result(syntax, parser.names.references(), List.copyOf(parser.secretNames));
    }

    /**
     * Parses the module of a code step. Its arrow functions may have statements, and all its names are its own or the
     * language's.
     */
    static CodeModuleSyntax parseModule(String source) {
        var lexemes = new Lexer(source).read();
        var parser = new Parser(lexemes, MemberPath.Root.STEP, true);
        var module = parser.statements.module(StatementParser.outerNames(lexemes));
        for (var reference : parser.names.references()) {
            throw SyntaxProblem.beyond(reference.start(), "'" + reference.name() + "'");
        }
        return module;
    }

    Syntax expression() {
        words.enter();
        var test = infix(1);
        if (words.accept("?")) {
            var whenTrue = expression();
            words.expect(":");
            test = new Syntax.Conditional(test, whenTrue, expression());
        }
        var after = words.peek();
        if (isAssignment(after)) {
            throw SyntaxProblem.beyond(after.start(), "an assignment");
        }
        words.leave();
        return test;
    }

    static boolean isAssignment(Lexeme lexeme) {
        return lexeme.kind() == Lexeme.Kind.PUNCTUATOR && ASSIGNMENTS.contains(lexeme.text());
    }

    private Syntax infix(int weakest) {
        var left = prefix();
        var operator = InfixOperator.of(words.peek());
        while (operator != null && operator.strength() >= weakest) {
            words.next();
            words.enter();
            var right = infix(operator == InfixOperator.POWER ? operator.strength() : operator.strength() + 1);
            words.leave();
            left = new Syntax.Infix(operator, left, right);
            operator = InfixOperator.of(words.peek());
        }
        if (words.peek().isName("instanceof")) {
            throw SyntaxProblem.beyond(words.peek().start(), "'instanceof'");
        }
        return left;
    }

    private Syntax prefix() {
        var lexeme = words.peek();
        var isWord = lexeme.kind() == Lexeme.Kind.NAME || lexeme.kind() == Lexeme.Kind.PUNCTUATOR;
        if (!isWord || !PREFIXES.contains(lexeme.text()) || words.peekSecond().is("=>")) {
            return chain();
        }
        words.next();
        words.enter();
        var operand = prefix();
        words.leave();
        if (words.peek().is("**")) {
            throw SyntaxProblem.expected("parentheses around the left side of a power", words.peek());
        }
        return new Syntax.Prefix(lexeme.text(), operand);
    }

    Syntax chain() {
        var value = primary.read();
        var optional = false;
        while (true) {
            var lexeme = words.peek();
            if (lexeme.is("?.")) {
                words.next();
                optional = true;
                value = optionalLink(value);
            } else if (lexeme.is(".")) {
                words.next();
                value = member(value, memberName(), false);
            } else if (lexeme.is("[")) {
                value = member(value, computedKey(), false);
            } else if (lexeme.is("(")) {
                value = call(value, false);
            } else {
                refuseBeyond(lexeme);
                return optional ? new Syntax.Chain(value) : value;
            }
        }
    }

    private Syntax optionalLink(Syntax object) {
        var lexeme = words.peek();
        if (lexeme.is("(")) {
            return call(object, true);
        }
        return member(object, lexeme.is("[") ? computedKey() : memberName(), true);
    }

    private static void refuseBeyond(Lexeme lexeme) {
        switch (lexeme.kind()) {
            case TEMPLATE_WHOLE, TEMPLATE_HEAD -> throw SyntaxProblem.beyond(lexeme.start(), "a tagged template");
            case PUNCTUATOR -> {
                if (lexeme.is("++") || lexeme.is("--")) {
                    throw SyntaxProblem.beyond(lexeme.start(), "an assignment");
                }
            }
            case NAME, NUMBER, TEXT, TEMPLATE_MIDDLE, TEMPLATE_TAIL, REGEX, END -> {}
        }
    }

    private Syntax memberName() {
        var name = words.next();
        if (name.kind() != Lexeme.Kind.NAME) {
            throw SyntaxProblem.expected("the name of a member", name);
        }
        return new Syntax.Literal(TextNode.valueOf(name.text()));
    }

    private Syntax computedKey() {
        words.expect("[");
        var key = expression();
        if (words.peek().is(",")) {
            throw SyntaxProblem.beyond(words.peek().start(), "a comma operator");
        }
        words.expect("]");
        return key;
    }

    /** Reads a member. A literal key extends a plain path, unless the member is called. */
    private Syntax member(Syntax object, Syntax key, boolean optional) {
        var isCalled = words.peek().is("(")
                || words.peek().is("?.") && words.peekSecond().is("(");
        var text = optional ? null : plainKey(key);
        if (text != null && object instanceof Syntax.Path(var path)) {
            if (isSecretRoot(path)) {
                return new Syntax.Path(secretPath(text));
            }
            if (!isCalled && path.mayGrow()) {
                return new Syntax.Path(path.plus(MemberPath.MemberKey.of(text)));
            }
        }
        if (text != null && object instanceof Syntax.Global(var name) && Globals.isForeign(name, text)) {
            throw SyntaxProblem.beyond(words.peek().start(), "'" + name + "." + text + "'");
        }
        return new Syntax.Member(object, key, optional);
    }

    private boolean isSecretRoot(MemberPath path) {
        return secret != MemberPath.Root.STEP
                && path.root() == MemberPath.Root.STEP
                && path.isBare()
                && path.name().equals(secret.word());
    }

    private MemberPath secretPath(String name) {
        if (secret == MemberPath.Root.VARIABLE && !VARIABLE_NAME.matcher(name).matches()) {
            throw SyntaxProblem.at(
                    words.peek().start(), "expected a variable's name of letters, digits and underscores");
        }
        secretNames.add(name);
        return MemberPath.secret(secret, name);
    }

    private static String plainKey(Syntax key) {
        return key instanceof Syntax.Literal(var value) && (value.isTextual() || value.isNumber())
                ? JsText.of(value)
                : null;
    }

    /**
     * A call. Data has no functions, so an unknown method is one that JavaScript may have: it changes its object, needs locale
     * data, or is just rare.
     */
    private Syntax call(Syntax callee, boolean optional) {
        if (!optional
                && statements == null
                && callee instanceof Syntax.Member member
                && member.key() instanceof Syntax.Literal(var name)
                && !Methods.isKnown(name.asText())
                && !MemberPath.isRefused(name.asText())) {
            throw SyntaxProblem.beyond(words.peek().start(), "a call of '" + name.asText() + "'");
        }
        var open = words.peek();
        var arguments = arguments();
        if (isStringify(callee) && hasReplacer(arguments)) {
            throw SyntaxProblem.beyond(open.start(), "a replacer of JSON");
        }
        return new Syntax.Call(callee, arguments, optional);
    }

    private static boolean isStringify(Syntax callee) {
        return callee instanceof Syntax.Member member
                && member.object() instanceof Syntax.Global(var global)
                && member.key() instanceof Syntax.Literal(var name)
                && global.equals("JSON")
                && name.asText().equals("stringify");
    }

    private static boolean hasReplacer(List<Syntax> arguments) {
        return arguments.size() > 1
                && !(arguments.get(1) instanceof Syntax.Literal(var nothing) && JsValues.isNullish(nothing));
    }

    List<Syntax> arguments() {
        words.expect("(");
        var result = new ArrayList<Syntax>();
        while (!words.accept(")")) {
            result.add(element());
            if (!words.peek().is(")")) {
                words.expect(",");
            }
        }
        return List.copyOf(result);
    }

    Syntax element() {
        return words.accept("...") ? new Syntax.Spread(expression()) : expression();
    }

    Syntax arrow(List<Binding> parameters) {
        words.expect("=>");
        names.open(parameters);
        var body = words.peek().is("{") ? block() : expression();
        names.close();
        return new Syntax.Arrow(List.copyOf(parameters), body);
    }

    /** Accepts a block only if it consists of a return statement. */
    private Syntax block() {
        if (statements != null) {
            return new Syntax.Block(statements.block());
        }
        var open = words.next();
        if (!words.peek().isName("return")
                || words.peekSecond().is(";")
                || words.peekSecond().is("}")) {
            throw SyntaxProblem.beyond(open.start(), "a block of statements");
        }
        words.next();
        var value = expression();
        words.accept(";");
        if (!words.peek().is("}")) {
            throw SyntaxProblem.beyond(open.start(), "a block of statements");
        }
        words.next();
        return value;
    }

    static Syntax undefined() {
        return new Syntax.Literal(MissingNode.getInstance());
    }
}
