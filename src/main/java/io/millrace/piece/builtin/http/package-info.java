/**
 * Calls over HTTP, and of GraphQL servers.
 *
 * <p>Start reading at {@code HttpPiece}; {@code SendRequest} makes the call.
 */
package io.millrace.piece.builtin.http;
