/**
 * The listening server, one for each event loop, and the limits of its connections: how many, how long, and how much
 * of their answers may wait in memory (decision 0093).
 *
 * <p>Must not know what a route does. Start reading at {@link io.millrace.base.http.server.HttpVerticle}.
 */
package io.millrace.base.http.server;
