/**
 * Building blocks of built-in pieces: declaration of pieces, actions and properties, and limits on the input and output
 * of an action.
 *
 * <p>Start reading at {@code BuiltinPiece} and {@code ComputedAction}.
 */
package io.millrace.piece.builtin.action;
