/**
 * The Text Helper piece: actions on texts, and conversions between Markdown, HTML and plain text (decision 0131).
 *
 * <p>Documents of callers are read in one pass with bounds. Start reading at
 * {@link io.millrace.piece.builtin.text.TextHelperPiece}.
 */
package io.millrace.piece.builtin.text;
