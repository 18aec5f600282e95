/**
 * Mail over SMTP.
 *
 * <p>Start reading at {@code SmtpPiece}.
 */
package io.millrace.piece.builtin.mail;
