/**
 * The platform's own tools, by which AI clients build and run flows, and fill tables.
 *
 * <p>A tool asks other modules over the bus as a route would, after the same gate; it sees neither HTTP nor the protocol. Start
 * reading at {@code Tool}, and at {@code OwnTools} for the list.
 */
package io.millrace.integration.mcp.tool;
