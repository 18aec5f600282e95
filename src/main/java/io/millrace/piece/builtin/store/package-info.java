/**
 * Pieces for project data: stored values, queues, tags of runs, connections.
 *
 * <p>Start reading at {@code StorePiece}.
 */
package io.millrace.piece.builtin.store;
