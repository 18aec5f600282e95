/**
 * Finds the tokens of a text, reads what stands in one, and tells what it refers to. Stands above the evaluator, because
 * what the grammar takes depends on the globals and methods that there are. Start reading at {@link
 * io.millrace.sandbox.expression.parser.Tokeniser} and {@code Expression}.
 */
package io.millrace.sandbox.expression.parser;
