/**
 * Evaluates the tokens between {@code {{} and {@code }}} in a flow's inputs, and compares router conditions.
 *
 * <p>Pure: JDK, the JSON tree and {@code core} only. Time and random numbers come from {@link
 * io.millrace.sandbox.expression.value.ExpressionScope}. There is no reflection and no host object: an expression sees JSON values,
 * the functions listed below, and nothing else. Every evaluation is metered, so an expression can neither run forever nor exhaust
 * the memory.
 *
 * <p>Start reading at {@link io.millrace.sandbox.expression.InputTemplate}. Its subpackages hold the formulas, the parser, the
 * evaluator, the syntax and the values.
 *
 * <p>Resolving does not block. The caller of a template reads its {@link io.millrace.sandbox.expression.Needs}, loads connections
 * and variables as {@link io.millrace.sandbox.expression.Secrets}, has the tokens that are beyond the grammar evaluated by another
 * engine, and passes all of it in the {@link io.millrace.sandbox.expression.value.ExpressionScope}.
 */
package io.millrace.sandbox.expression;
