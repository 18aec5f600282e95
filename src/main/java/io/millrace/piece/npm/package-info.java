/**
 * Pieces as npm packages: installed at an exact version, described by running them, and run unmodified in Node.js
 * (contract pieces 1 to 5, 13).
 *
 * <p>Start reading at {@link io.millrace.piece.npm.InstalledPieceService}, which installs packages and stores their
 * descriptions; {@link io.millrace.piece.npm.NpmPiece} is their form for the rest of the server. The module
 * {@code node} manages processes. Callbacks of packages are handled by {@link io.millrace.piece.StepContext} and
 * {@link io.millrace.piece.PieceWorld}.
 */
package io.millrace.piece.npm;
