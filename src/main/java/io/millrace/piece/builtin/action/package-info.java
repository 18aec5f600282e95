/**
 * What built-in pieces are made of: how a piece and an action are declared, props, and bounds on what one action may
 * take and make.
 *
 * <p>Start reading at {@code BuiltinPiece} and {@code ComputedAction}.
 */
package io.millrace.piece.builtin.action;
