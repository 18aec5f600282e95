/**
 * Messages of the Model Context Protocol: JSON-RPC, its failures, and differences between revisions. Pure except for headers.
 *
 * <p>Does not depend on tools. Start reading at {@code RpcMessage}.
 */
package io.millrace.integration.mcp.protocol;
