/**
 * Node.js processes that run the code of npm pieces: found, started on demand, bounded, replaced, and ended with the server
 * (contract pieces 9, 10).
 *
 * <p>Start reading at {@link io.millrace.sandbox.node.NodeVerticle}, which supervises them; the other side of the pipe is {@code
 * node/host.js} among the resources. This package knows nothing of pieces, flows or runs: the caller interprets calls. The kernel's
 * isolation surrounds each process (decision 0098), guards of the engine act inside it. Processes make no connections: {@link
 * io.millrace.sandbox.node.network.ConnectionGateway} connects for them and passes the sockets (decision 0363).
 */
package io.millrace.sandbox.node;
