/**
 * Finds the tokens of a text, parses them, and lists their references. Depends on the evaluator, because the grammar depends on its
 * globals and methods. Start reading at {@link io.millrace.sandbox.expression.parser.Tokeniser} and {@code Expression}.
 */
package io.millrace.sandbox.expression.parser;
