/**
 * Pieces: what a connector is, what it offers, and which ones this server knows.
 *
 * <p>Start reading at {@link io.millrace.piece.Piece}. {@link io.millrace.piece.PieceCatalogue} finds a piece,
 * {@link io.millrace.piece.PropertyProcessor} prepares what a piece is given, {@link io.millrace.piece.ErrorMessage}
 * tells why it failed, {@link io.millrace.piece.PieceMetadata} and {@link io.millrace.piece.PieceQuery} describe pieces
 * to editors, which ask over HTTP ({@link io.millrace.piece.PieceRoutes}). Nothing here knows flows or runs: a running
 * step meets a piece through {@link io.millrace.piece.StepContext}, which the run module implements.
 */
package io.millrace.piece;
