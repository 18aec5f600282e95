/**
 * Pieces: what a connector is, what it offers, and what it may ask of the server.
 *
 * <p>Start reading at {@link io.millrace.piece.Piece}. {@link io.millrace.piece.PieceMetadata} describes a piece to editors,
 * {@link io.millrace.piece.ErrorMessage} tells why one failed. Which pieces there are is the {@link
 * io.millrace.piece.catalogue.PieceCatalogue}'s above; what a piece is given is prepared by {@link
 * io.millrace.piece.input.PropertyProcessor}. Nothing here knows flows or runs: a running step meets a piece through {@link
 * io.millrace.piece.StepContext}, which the run module implements.
 */
package io.millrace.piece;
