package io.millrace.sandbox.expression.syntax;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.value.JsPattern;
import io.millrace.sandbox.expression.value.MemberPath;
import java.util.List;

/** Syntax tree of an expression. Immutable, so that one parse serves every run. */
public sealed interface Syntax {
    record Literal(JsonNode value) implements Syntax {}

    record Local(String name) implements Syntax {}

    record Global(String name) implements Syntax {}

    record Path(MemberPath path) implements Syntax {}

    /** Reads one member; optional when a missing object ends the chain instead of failing. */
    record Member(Syntax object, Syntax key, boolean optional) implements Syntax {}

    record Call(Syntax callee, List<Syntax> arguments, boolean optional) implements Syntax {}

    /** A chain that an optional member or call inside may end early. */
    record Chain(Syntax links) implements Syntax {}

    record Construct(String type, List<Syntax> arguments) implements Syntax {}

    record Prefix(String operator, Syntax operand) implements Syntax {}

    record Infix(InfixOperator operator, Syntax left, Syntax right) implements Syntax {}

    record Conditional(Syntax test, Syntax whenTrue, Syntax whenFalse) implements Syntax {}

    record ListLiteral(List<Syntax> elements) implements Syntax {}

    record ObjectLiteral(List<ObjectProperty> properties) implements Syntax {}

    /** One property of an object literal; a spread has no key. */
    record ObjectProperty(Syntax key, Syntax value) {}

    record Spread(Syntax values) implements Syntax {}

    /** A template literal: one text more than values. */
    record TemplateLiteral(List<String> texts, List<Syntax> values) implements Syntax {}

    record Arrow(List<Binding> parameters, Syntax body) implements Syntax {}

    record Block(List<CodeStatement> statements) implements Syntax {}

    record RegexLiteral(JsPattern pattern) implements Syntax {}
}
