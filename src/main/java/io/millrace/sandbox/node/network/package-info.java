/**
 * Connections of processes that the kernel lets make none (decision 0363): a process asks over a Unix socket, the server resolves,
 * checks and connects, and passes the open socket.
 *
 * <p>Start reading at {@link io.millrace.sandbox.node.network.ConnectionGateway}.
 */
package io.millrace.sandbox.node.network;
