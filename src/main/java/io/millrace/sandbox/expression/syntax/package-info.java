/**
 * The words of an expression and the tree that they make. Start reading at {@code Syntax}; {@code Lexer} finds the words.
 */
package io.millrace.sandbox.expression.syntax;
