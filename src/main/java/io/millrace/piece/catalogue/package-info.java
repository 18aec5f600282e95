/**
 * Pieces of this server: lookup by name and version, visibility, and queries of editors.
 *
 * <p>Start reading at {@link io.millrace.piece.catalogue.Pieces}; {@link io.millrace.piece.catalogue.PieceCatalogue} finds a
 * piece by its name and version.
 */
package io.millrace.piece.catalogue;
