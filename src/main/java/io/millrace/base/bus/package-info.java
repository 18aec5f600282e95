/**
 * Typed messages between verticles: requests, notices and their endpoints.
 *
 * <p>Messages are immutable records that are passed by reference inside a node. Start reading at
 * {@link io.millrace.base.bus.Bus}.
 */
package io.millrace.base.bus;
