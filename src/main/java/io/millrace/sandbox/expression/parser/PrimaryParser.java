package io.millrace.sandbox.expression.parser;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.sandbox.expression.syntax.Binding;
import io.millrace.sandbox.expression.syntax.Lexeme;
import io.millrace.sandbox.expression.syntax.LexemeCursor;
import io.millrace.sandbox.expression.syntax.Syntax;
import io.millrace.sandbox.expression.syntax.SyntaxProblem;
import io.millrace.sandbox.expression.value.JsError;
import io.millrace.sandbox.expression.value.JsNumbers;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.JsText;
import io.millrace.sandbox.expression.value.MemberPath;
import io.millrace.sandbox.expression.value.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

final class PrimaryParser {
    private static final Set<String> CONSTRUCTED = Set.of("Date", "RegExp", "Array", "Object", "String", "Number");

    private final Parser parser;
    private final LexemeCursor words;
    private final Names names;

    PrimaryParser(Parser parser, LexemeCursor words, Names names) {
        this.parser = parser;
        this.words = words;
        this.names = names;
    }

    Syntax read() {
        var lexeme = words.peek();
        return switch (lexeme.kind()) {
            case NUMBER -> new Syntax.Literal(JsNumbers.node(words.next().number()));
            case TEXT, TEMPLATE_WHOLE -> text(words.next());
            case TEMPLATE_HEAD -> template();
            case REGEX -> regex();
            case NAME -> name();
            case PUNCTUATOR -> punctuated(lexeme);
            case TEMPLATE_MIDDLE, TEMPLATE_TAIL, END -> throw SyntaxProblem.expected("an expression", lexeme);
        };
    }

    private static Syntax text(Lexeme lexeme) {
        return new Syntax.Literal(TextNode.valueOf(lexeme.text()));
    }

    private Syntax punctuated(Lexeme lexeme) {
        return switch (lexeme.text()) {
            case "(" -> parenthesised();
            case "[" -> list();
            case "{" -> object();
            case "++", "--" -> throw SyntaxProblem.beyond(lexeme.start(), "an assignment");
            case "@", "#" -> throw SyntaxProblem.beyond(lexeme.start(), lexeme.description());
            case ";" -> throw SyntaxProblem.beyond(lexeme.start(), "a statement");
            default -> throw SyntaxProblem.expected("an expression", lexeme);
        };
    }

    private Syntax name() {
        var name = words.next();
        if (words.peek().is("=>")) {
            return parser.arrow(List.of(new Binding.Name(name.text())));
        }
        return switch (name.text()) {
            case "true" -> new Syntax.Literal(BooleanNode.TRUE);
            case "false" -> new Syntax.Literal(BooleanNode.FALSE);
            case "null" -> new Syntax.Literal(NullNode.getInstance());
            case "undefined" -> Parser.undefined();
            case "NaN" -> new Syntax.Literal(JsNumbers.node(Double.NaN));
            case "Infinity" -> new Syntax.Literal(JsNumbers.node(Double.POSITIVE_INFINITY));
            case "new" -> construct();
            default -> names.resolve(name, false);
        };
    }

    private Syntax construct() {
        var type = words.next();
        if (type.kind() != Lexeme.Kind.NAME) {
            throw SyntaxProblem.expected("the name of a type", type);
        }
        if (!CONSTRUCTED.contains(type.text()) || words.peek().is(".")) {
            throw SyntaxProblem.beyond(type.start(), "'new " + type.text() + "'");
        }
        return new Syntax.Construct(type.text(), words.peek().is("(") ? parser.arguments() : List.of());
    }

    private Syntax regex() {
        var lexeme = words.next();
        try {
            return new Syntax.RegexLiteral(JsPattern.compile(lexeme.text(), lexeme.flags()));
        } catch (JsError malformed) {
            throw SyntaxProblem.at(lexeme.start(), malformed.getMessage());
        }
    }

    private Syntax template() {
        var texts = new ArrayList<String>();
        var values = new ArrayList<Syntax>();
        texts.add(words.next().text());
        while (true) {
            values.add(parser.expression());
            var piece = words.next();
            if (piece.kind() != Lexeme.Kind.TEMPLATE_MIDDLE && piece.kind() != Lexeme.Kind.TEMPLATE_TAIL) {
                throw SyntaxProblem.expected("'}' of a template value", piece);
            }
            texts.add(piece.text());
            if (piece.kind() == Lexeme.Kind.TEMPLATE_TAIL) {
                return new Syntax.TemplateLiteral(List.copyOf(texts), List.copyOf(values));
            }
        }
    }

    /** Parentheses around a value, or the parameters of an arrow function if an arrow follows. */
    private Syntax parenthesised() {
        var mark = names.mark();
        var open = words.peek();
        var items = parser.arguments();
        if (words.peek().is("=>")) {
            names.forgetSince(mark);
            return parser.arrow(items.stream().map(PrimaryParser::binding).toList());
        }
        if (items.size() > 1) {
            throw SyntaxProblem.beyond(open.start(), "a comma operator");
        }
        if (items.isEmpty() || items.getFirst() instanceof Syntax.Spread) {
            throw SyntaxProblem.expected("'=>'", words.peek());
        }
        return items.getFirst();
    }

    static Binding binding(Syntax parameter) {
        return switch (parameter) {
            case Syntax.Local(var name) -> new Binding.Name(name);
            case Syntax.Global(var name) -> new Binding.Name(name);
            case Syntax.Path(var path)
            when path.isBare() && path.root() == MemberPath.Root.STEP -> new Binding.Name(path.name());
            case Syntax.Literal(var hole) when hole.isMissingNode() -> new Binding.Elements(List.of());
            case Syntax.Spread(var rest) -> new Binding.Rest(binding(rest));
            case Syntax.ListLiteral(var elements) ->
                new Binding.Elements(
                        elements.stream().map(PrimaryParser::binding).toList());
            case Syntax.ObjectLiteral(var properties) ->
                new Binding.ObjectPattern(
                        properties.stream().map(PrimaryParser::field).toList());
            default -> throw SyntaxProblem.at(0, "expected the name of a parameter, but found an expression");
        };
    }

    private static Binding.Field field(Syntax.ObjectProperty property) {
        if (property.key() == null) {
            return new Binding.Field("", binding(property.value()));
        }
        if (property.key() instanceof Syntax.Literal(var key)) {
            return new Binding.Field(JsText.of(key), binding(property.value()));
        }
        throw SyntaxProblem.beyond(0, "a parameter with a computed key");
    }

    private Syntax list() {
        words.expect("[");
        var elements = new ArrayList<Syntax>();
        while (!words.accept("]")) {
            if (words.accept(",")) {
                elements.add(Parser.undefined());
                continue;
            }
            elements.add(parser.element());
            if (!words.peek().is("]")) {
                words.expect(",");
            }
        }
        return new Syntax.ListLiteral(List.copyOf(elements));
    }

    private Syntax object() {
        words.expect("{");
        var properties = new ArrayList<Syntax.ObjectProperty>();
        while (!words.accept("}")) {
            properties.add(property());
            if (!words.peek().is("}")) {
                words.expect(",");
            }
        }
        return new Syntax.ObjectLiteral(List.copyOf(properties));
    }

    private Syntax.ObjectProperty property() {
        if (words.peek().is("...")) {
            return new Syntax.ObjectProperty(null, parser.element());
        }
        if (words.accept("[")) {
            var key = parser.expression();
            words.expect("]");
            return new Syntax.ObjectProperty(key, valueOfProperty());
        }
        var key = words.next();
        return switch (key.kind()) {
            case TEXT -> new Syntax.ObjectProperty(text(key), valueOfProperty());
            case NUMBER ->
                new Syntax.ObjectProperty(
                        new Syntax.Literal(TextNode.valueOf(NumberText.of(key.number()))), valueOfProperty());
            case NAME ->
                words.peek().is(":") ? new Syntax.ObjectProperty(text(key), valueOfProperty()) : shorthand(key);
            default -> throw SyntaxProblem.expected("the name of a property", key);
        };
    }

    private Syntax valueOfProperty() {
        if (words.peek().is("(")) {
            throw SyntaxProblem.beyond(words.peek().start(), "a method");
        }
        words.expect(":");
        return parser.expression();
    }

    private Syntax.ObjectProperty shorthand(Lexeme name) {
        var after = words.peek();
        if (after.is("=")) {
            throw SyntaxProblem.beyond(after.start(), "an assignment");
        }
        if (!after.is(",") && !after.is("}")) {
            var isMethod = after.is("(") || after.kind() == Lexeme.Kind.NAME;
            throw isMethod ? SyntaxProblem.beyond(after.start(), "a method") : SyntaxProblem.expected("':'", after);
        }
        return new Syntax.ObjectProperty(text(name), names.resolve(name, true));
    }
}
