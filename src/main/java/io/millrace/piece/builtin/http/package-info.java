/**
 * HTTP requests and GraphQL queries.
 *
 * <p>Start reading at {@code HttpPiece}; {@code SendRequest} makes the call.
 */
package io.millrace.piece.builtin.http;
