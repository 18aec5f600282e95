package io.millrace.integration.mcp;

import io.millrace.integration.mcp.tool.Tool;
import java.util.List;

/** An MCP server: the tools that its clients can call. */
interface McpToolOffer {
    String id();

    boolean offers(Tool tool);

    /** Names of the tools that are listed in any case, also where a search stands in for the list. */
    List<String> pinnedTools();
}
