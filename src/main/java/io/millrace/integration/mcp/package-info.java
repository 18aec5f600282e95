/**
 * MCP: AI clients call flows as tools, and build and run flows with the platform's own tools (contract flows-and-engine
 * 28; Model Context Protocol 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28).
 *
 * <p>{@code McpEndpointRoutes} is the transport: who calls, sessions, streams, headers. {@code McpProtocol}
 * answers the methods of the protocol, {@code Toolbox} says which tools a caller has and calls them. A tool asks other
 * modules over the bus as a route would, after the same gate; it never sees HTTP ({@code tool}). Messages and revisions of
 * the protocol stand in {@code protocol}. {@link io.millrace.integration.mcp.McpRoutes} manages
 * the server of a project. Start reading at {@code McpServers}.
 */
package io.millrace.integration.mcp;
