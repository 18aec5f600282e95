/**
 * Requests of users for pieces, decided by administrators (decision 0251).
 *
 * <p>Start reading at {@link io.millrace.piece.request.PieceRequests}. Approval installs the piece with the same
 * message as an installation by an administrator.
 */
package io.millrace.piece.request;
