/**
 * Pieces that people ask for and that administrators decide about (decision 0251).
 *
 * <p>Start reading at {@link io.millrace.piece.request.PieceRequests}. Installs nothing itself: an approved piece is
 * installed by the message that one click of an administrator sends.
 */
package io.millrace.piece.request;
