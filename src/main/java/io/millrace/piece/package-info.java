/**
 * Pieces: the interface of connectors, and the services that the server provides to them.
 *
 * <p>Start reading at {@link io.millrace.piece.Piece}. {@link io.millrace.piece.PieceMetadata} describes a piece to
 * editors, {@link io.millrace.piece.ErrorMessage} formats its failures.
 * {@link io.millrace.piece.catalogue.PieceCatalogue} lists the available pieces; input is prepared by
 * {@link io.millrace.piece.input.PropertyProcessor}. Independent of flows and runs: a running step calls a piece with
 * {@link io.millrace.piece.StepContext}, which the run module implements.
 */
package io.millrace.piece;
