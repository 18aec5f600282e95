/**
 * MCP: AI clients call flows as tools, and build and run flows with the platform's own tools (contract flows-and-engine 28;
 * Model Context Protocol 2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28).
 *
 * <p>{@code McpEndpointRoutes} is the transport: authentication, sessions, streams, headers. {@code McpProtocol} implements the
 * methods of the protocol, {@code Toolbox} lists the tools of a caller and calls them. A tool sends messages to other modules
 * over the bus, after the same authorization as a route; it does not depend on HTTP ({@code tool}). Messages and revisions of
 * the protocol are in {@code protocol}. {@link io.millrace.integration.mcp.McpRoutes} manages the server of a project. Start
 * reading at {@code McpServers}.
 */
package io.millrace.integration.mcp;
