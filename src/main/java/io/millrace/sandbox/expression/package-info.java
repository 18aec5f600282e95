/**
 * Evaluates what stands between {@code {{} and {@code }}} in a flow's inputs, and compares router conditions.
 *
 * <p>Pure: JDK, the JSON tree and {@code core} only. Time and chance come in through {@link
 * io.millrace.sandbox.expression.value.ExpressionScope}. There is no reflection and no host object: an expression sees
 * JSON values, the functions listed below, and nothing else. Every evaluation is metered, so an expression can neither
 * run away nor fill the memory.
 *
 * <p>Start reading at {@link io.millrace.sandbox.expression.InputTemplate}. Below it stand, each in a package of its
 * own, the formulas, the parser, the evaluator, the syntax and the values.
 *
 * <p>Resolving waits for nothing. Whoever resolves a template asks it for its {@link
 * io.millrace.sandbox.expression.Needs}, loads connections and variables as {@link
 * io.millrace.sandbox.expression.Secrets}, has the tokens that are beyond the grammar evaluated elsewhere, and gives
 * all of it through the {@link io.millrace.sandbox.expression.value.ExpressionScope}.
 */
package io.millrace.sandbox.expression;
