/**
 * HTTP edge: processing of a request before and after the module that answers it.
 *
 * <p>The order of checks is the contract's (admin-api 1.2): route, body, validation, authentication, project, permission. The
 * package {@code body} receives bodies, {@code socket} holds streams and sockets, {@code server} has the listening server and
 * the limits of its connections. Start reading at {@link io.millrace.base.http.Routes}. This module depends on no other module: modules supply
 * their routes.
 */
package io.millrace.base.http;
