/**
 * Bodies of requests on their way in: from the connection into memory or a file of their own.
 *
 * <p>All of them take from one budget of memory (decision 0092), and what is too large is refused before it is there. Knows
 * neither routes nor callers. Start reading at {@link io.millrace.base.http.body.BodyReception}.
 */
package io.millrace.base.http.body;
