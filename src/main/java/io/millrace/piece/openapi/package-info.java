/**
 * Pieces from OpenAPI documents (decision 0461): the conversion of a document into a description, and actions that send the
 * described requests with the guarded client of the server. Needs neither npm nor Node.js.
 *
 * <p>Start reading at {@link io.millrace.piece.openapi.DocumentConverter}, which is pure;
 * {@link io.millrace.piece.openapi.OpenApiPiece} executes the stored description, and
 * {@link io.millrace.piece.openapi.OpenApiPieceService} fetches, versions and installs. The rows belong to
 * {@code io.millrace.piece.npm}.
 */
package io.millrace.piece.openapi;
