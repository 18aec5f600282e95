/**
 * Evaluates what stands between {@code {{} and {@code }}} in a flow's inputs, and compares router conditions.
 *
 * <p>Pure: JDK, the JSON tree and {@code core} only. Time and chance come in through {@link
 * io.millrace.sandbox.expression.Scope}. There is no reflection and no host object: an expression sees JSON values, the
 * functions listed in this package, and nothing else. Every evaluation is metered, so an expression can neither run
 * away nor fill the memory.
 *
 * <p>Start reading at {@link io.millrace.sandbox.expression.InputTemplate}; below it stand {@link
 * io.millrace.sandbox.expression.Tokeniser}, then the parser, the evaluator and one class per family of members. The formula
 * language (contract flows-and-engine 32) is one more kind of compiled text inside the template: {@link
 * io.millrace.sandbox.expression.Formula}, its parser, and one class per family of functions.
 *
 * <p>Resolving waits for nothing. Whoever resolves a template asks it for its {@link io.millrace.sandbox.expression.Needs}, loads
 * connections and variables as {@link io.millrace.sandbox.expression.Secrets}, has the tokens that are beyond the grammar evaluated
 * elsewhere, and gives all of it through the {@link io.millrace.sandbox.expression.Scope}.
 */
package io.millrace.sandbox.expression;
