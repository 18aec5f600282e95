/**
 * Pieces as npm packages: installed at an exact version, described by running them, and run unmodified in Node.js
 * (contract pieces 1 to 5, 13).
 *
 * <p>Start reading at {@link io.millrace.piece.npm.InstalledPieceService}, which installs and remembers;
 * {@link io.millrace.piece.npm.NpmPiece} is what the rest of the server sees. Processes are the business of the module
 * {@code node}. What a package asks of the server is answered through {@link io.millrace.piece.StepContext} and
 * {@link io.millrace.piece.PieceWorld}.
 */
package io.millrace.piece.npm;
