/**
 * Node.js processes that run the code of npm pieces: found, started when first needed, bounded, replaced, ended with
 * the server (contract pieces 9, 10).
 *
 * <p>Start reading at {@link io.millrace.sandbox.node.NodeVerticle}, which supervises them; the other side of the pipe is
 * {@code node/host.js} among the resources. What a call means is the caller's business: nothing here knows pieces, flows
 * or runs. The kernel's isolation stands around each process (decision 0098), guards of the engine inside it. Processes make no
 * connections: {@link io.millrace.sandbox.node.ConnectionGateway} does, and passes the sockets on (decision 0363).
 */
package io.millrace.sandbox.node;
