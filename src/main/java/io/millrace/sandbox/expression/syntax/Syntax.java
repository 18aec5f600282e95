package io.millrace.sandbox.expression.syntax;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.MemberPath;
import java.util.List;

/** Syntax tree of an expression. Immutable, so that one parse serves every run. */
public sealed interface Syntax {
    /** A scalar in the source. */
    record Literal(JsonNode value) implements Syntax {}

    /** A parameter of an enclosing arrow function. */
    record Local(String name) implements Syntax {}

    /** A global of the language, such as {@code Math}. */
    record Global(String name) implements Syntax {}

    /** A step, connection or variable with the plain members after it. */
    record Path(MemberPath path) implements Syntax {}

    /** Reads one member; optional when a missing object ends the chain instead of failing. */
    record Member(Syntax object, Syntax key, boolean optional) implements Syntax {}

    /** Calls a function or, when the callee is a member, a method. */
    record Call(Syntax callee, List<Syntax> arguments, boolean optional) implements Syntax {}

    /** A chain that an optional member or call inside may end early. */
    record Chain(Syntax links) implements Syntax {}

    /** {@code new Type(…)}. */
    record Construct(String type, List<Syntax> arguments) implements Syntax {}

    /** A prefix operator. */
    record Prefix(String operator, Syntax operand) implements Syntax {}

    /** An operator between two operands. */
    record Infix(InfixOperator operator, Syntax left, Syntax right) implements Syntax {}

    /** {@code test ? whenTrue : whenFalse}. */
    record Conditional(Syntax test, Syntax whenTrue, Syntax whenFalse) implements Syntax {}

    /** A list literal. */
    record ListLiteral(List<Syntax> elements) implements Syntax {}

    /** An object literal. */
    record ObjectLiteral(List<ObjectProperty> properties) implements Syntax {}

    /** One property of an object literal; a spread has no key. */
    record ObjectProperty(Syntax key, Syntax value) {}

    /** Three dots before a list element or an argument. */
    record Spread(Syntax values) implements Syntax {}

    /** A template literal: one text more than values. */
    record TemplateLiteral(List<String> texts, List<Syntax> values) implements Syntax {}

    /** An arrow function. */
    record Arrow(List<Binding> parameters, Syntax body) implements Syntax {}

    /** The body of an arrow function in a code step. */
    record Block(List<CodeStatement> statements) implements Syntax {}

    /** A regular expression. */
    record RegexLiteral(JsPattern pattern) implements Syntax {}
}
