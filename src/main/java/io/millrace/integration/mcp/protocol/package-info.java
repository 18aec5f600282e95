/**
 * Messages of the Model Context Protocol: JSON-RPC, its failures, and what differs between revisions. Pure but for
 * headers.
 *
 * <p>Knows no tool. Start reading at {@code RpcMessage}.
 */
package io.millrace.integration.mcp.protocol;
