/**
 * One process: its command line, the frames on its pipes, and its start and end.
 *
 * <p>Start reading at {@link io.millrace.sandbox.node.process.NodeProcess}; the other side of the pipe is {@code node/host.js} among
 * the resources.
 */
package io.millrace.sandbox.node.process;
