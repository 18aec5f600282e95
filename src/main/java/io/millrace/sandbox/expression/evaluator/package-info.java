/**
 * Evaluates trees of syntax: one class per family of members and per global name. Every evaluation is metered.
 *
 * <p>The evaluator, the globals and the methods of values call each other, so they are one package. Start reading at
 * {@code Evaluator}.
 */
package io.millrace.sandbox.expression.evaluator;
