/**
 * Pieces written in Java, which need no package and no Node.js.
 *
 * <p>Sees the piece interface and the guarded HTTP client only. One small file declares a piece, and larger actions are
 * in separate files. Start reading at {@link io.millrace.piece.builtin.Builtins}; {@code DataMapperPiece} is the
 * smallest example. Names, properties and results are those of the packages that flows pin (contract pieces 14).
 */
package io.millrace.piece.builtin;
