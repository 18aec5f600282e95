/**
 * The listening server, one for each event loop, and the limits of its connections: number, time limits, and memory of unread
 * answers (decision 0093).
 *
 * <p>Must not depend on the operation of a route. Start reading at {@link io.millrace.base.http.server.HttpVerticle}.
 */
package io.millrace.base.http.server;
