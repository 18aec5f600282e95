/**
 * Tables of the project.
 *
 * <p>Start reading at {@code TablesPiece}.
 */
package io.millrace.piece.builtin.table;
