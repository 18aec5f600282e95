/**
 * Which pieces this server knows, who may see which, and how editors ask for them.
 *
 * <p>Start reading at {@link io.millrace.piece.catalogue.Pieces}; {@link io.millrace.piece.catalogue.PieceCatalogue} finds a
 * piece by its name and version.
 */
package io.millrace.piece.catalogue;
