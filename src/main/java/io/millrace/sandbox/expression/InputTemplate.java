package io.millrace.sandbox.expression;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.evaluator.Evaluator;
import io.millrace.sandbox.expression.parser.Expression;
import io.millrace.sandbox.expression.syntax.SyntaxIssue;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.sandbox.expression.value.ExpressionScope;
import io.millrace.sandbox.expression.value.MemberPath;
import io.millrace.sandbox.expression.value.Meter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The value of an input with its tokens parsed, ready to be resolved any number of times, by any thread (contract flows-and-engine
 * 7).
 *
 * <p>Resolving never changes nodes of the scope; results may share them. A token that has no value, is malformed or throws gives
 * empty text; an unusable connection and an exhausted limit are {@link ExpressionFailure}. All tokens of one resolution share one
 * budget.
 */
public final class InputTemplate {
    private final CompiledValue part;
    private final Needs needs;
    private final Set<String> references;
    private final Set<String> readBeyondItem;
    private final List<SyntaxIssue> syntaxIssues;

    private InputTemplate(CompiledValue part) {
        this.part = part;
        var expressions = new ArrayList<Expression>();
        part.expressions(expressions::add);
        needs = new Needs(
                names(expressions, expression -> expression.secretNames(MemberPath.Root.CONNECTION)),
                names(expressions, expression -> expression.secretNames(MemberPath.Root.VARIABLE)),
                names(
                        expressions,
                        expression -> expression.isBeyondGrammar() ? List.of(expression.source()) : List.of()));
        references = names(expressions, Expression::steps);
        readBeyondItem = names(expressions, Expression::stepsReadBeyondItem);
        syntaxIssues = expressions.stream()
                .flatMap(expression -> expression.issue().stream())
                .toList();
    }

    public static InputTemplate compile(JsonNode value) {
        return new InputTemplate(TemplateCompiler.compile(value));
    }

    private static Set<String> names(List<Expression> expressions, Function<Expression, List<String>> namesOf) {
        var names = new LinkedHashSet<String>();
        expressions.forEach(expression -> names.addAll(namesOf.apply(expression)));
        return Collections.unmodifiableSet(names);
    }

    public JsonNode resolve(ExpressionScope scope) {
        return resolve(scope, scope.meter());
    }

    /** The real value, with a meter that other resolutions of the same step share. */
    public JsonNode resolve(ExpressionScope scope, Meter meter) {
        return part instanceof CompiledValue.Constant(var value) ? value : part.resolve(new Evaluator(scope, meter));
    }

    public ResolvedInput resolveBoth(ExpressionScope scope) {
        return part instanceof CompiledValue.Constant(var value)
                ? new ResolvedInput(value, value)
                : part.resolveBoth(new Evaluator(scope, scope.meter()));
    }

    public boolean isConstant() {
        return part instanceof CompiledValue.Constant;
    }

    /** External id of the connection, if the value is exactly one reference to a whole connection. */
    public Optional<String> connection() {
        return part instanceof CompiledValue.Typed(var expression) ? expression.wholeConnection() : Optional.empty();
    }

    /** Values that the scope must hold before resolving. */
    public Needs needs() {
        return needs;
    }

    /** Names that may be steps: neither globals of the language nor parameters. */
    public Set<String> references() {
        return references;
    }

    /** Referenced loops of which more is read than the current item and its index. */
    public Set<String> readBeyondItem() {
        return readBeyondItem;
    }

    public List<SyntaxIssue> syntaxIssues() {
        return syntaxIssues;
    }

    /** Formulas that fail with any values, by their text. Their tokens are among {@link #syntaxIssues}. */
    public List<SyntaxIssue> formulaIssues() {
        var issues = new ArrayList<SyntaxIssue>();
        part.formulas(formula -> formula.problem()
                .map(problem -> new SyntaxIssue(formula.source(), 0, problem, SyntaxIssue.Kind.SYNTAX))
                .ifPresent(issues::add));
        return issues;
    }
}
