/**
 * Reception of request bodies: from the connection into memory or a temporary file.
 *
 * <p>All of them take from one budget of memory (decision 0092), and a body that is too large is refused before it is
 * received. Independent of routes and callers. Start reading at {@link io.millrace.base.http.body.BodyReception}.
 */
package io.millrace.base.http.body;
