package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.base.core.Json;
import io.millrace.integration.mcp.tool.Tool;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The MCP server of a project (contract flows-and-engine 28.1).
 *
 * @param token bearer token of the server
 * @param disabledTools names of hidden tools; empty if never set
 * @param pinnedTools names of tools that are listed besides the search
 */
record McpServer(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String token,
        Optional<List<String>> disabledTools,
        List<String> pinnedTools)
        implements McpToolOffer {
    McpServer {
        pinnedTools = List.copyOf(pinnedTools);
        disabledTools = disabledTools.map(List::copyOf);
    }

    @Override
    public boolean offers(Tool tool) {
        return disabledTools.filter(names -> names.contains(tool.name())).isEmpty();
    }

    /**
     * @param flows flows that are tools of this server
     * @param showsToken true if the caller may receive the token, which allows more than reading
     */
    ObjectNode toJson(List<Flows.FlowWithVersion> flows, boolean showsToken) {
        var json = Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .putNull("platformId")
                .put("projectId", projectId)
                .put("type", "PROJECT")
                .put("token", showsToken ? token : null);
        var disabled = json.putNull("disabledTools");
        disabledTools.ifPresent(names -> names.forEach(disabled.putArray("disabledTools")::add));
        pinnedTools.forEach(json.putArray("pinnedTools")::add);
        var listed = json.putArray("flows");
        flows.forEach(flow -> listed.add(flow.toJson()));
        return json;
    }

    @Override
    public String toString() {
        return "McpServer[" + id + "]";
    }
}
