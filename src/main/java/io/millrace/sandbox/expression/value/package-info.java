/**
 * The values that expressions work with, as JavaScript sees them: how they are turned into numbers, texts, dates and JSON,
 * what may be reached of them by a plain path, and what the work on them may cost.
 *
 * <p>Nothing here evaluates anything: what a function does is known to who calls it. Start reading at {@code Exotic}, which
 * lists the values that JSON does not have, and {@link io.millrace.sandbox.expression.value.ExpressionScope}.
 */
package io.millrace.sandbox.expression.value;
