/**
 * Dates: reading, formatting, shifting, the next of a kind.
 *
 * <p>Start reading at {@code DateHelperPiece}.
 */
package io.millrace.piece.builtin.date;
