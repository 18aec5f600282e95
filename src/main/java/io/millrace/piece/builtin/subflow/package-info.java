/**
 * Flows that call other flows.
 *
 * <p>Start reading at {@code SubflowsPiece}.
 */
package io.millrace.piece.builtin.subflow;
