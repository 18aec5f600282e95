/**
 * Values of expressions with JavaScript's semantics: their conversion to numbers, texts, dates and JSON, the plain paths into them,
 * and the limits on the cost of operations.
 *
 * <p>Nothing here evaluates anything: the evaluator implements functions. Start reading at {@code OpaqueValue}, which lists the values
 * that JSON does not have, and {@link io.millrace.sandbox.expression.value.ExpressionScope}.
 */
package io.millrace.sandbox.expression.value;
