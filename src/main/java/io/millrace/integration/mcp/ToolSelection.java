package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.input.Fields;
import io.millrace.integration.mcp.tool.Tool;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Chosen tools of a custom MCP server.
 *
 * @param allFlows true for all flows that are tools, including future ones
 * @param flowIds single flows
 * @param tables true for the tools that read and change tables
 * @param platformTools true for the platform's other tools
 * @param disabledTools names of tools of these groups that are not offered
 * @param pinnedTools names of tools that are listed besides the search
 */
record ToolSelection(
        boolean allFlows,
        List<String> flowIds,
        boolean tables,
        boolean platformTools,
        List<String> disabledTools,
        List<String> pinnedTools) {
    static final ToolSelection NONE = new ToolSelection(false, List.of(), false, false, List.of(), List.of());

    ToolSelection {
        flowIds = List.copyOf(flowIds);
        disabledTools = List.copyOf(disabledTools);
        pinnedTools = List.copyOf(pinnedTools);
    }

    boolean covers(Tool tool) {
        return !disabledTools.contains(tool.name())
                && switch (tool.origin()) {
                    case Tool.Origin.FlowOrigin(var flowId) -> allFlows || flowIds.contains(flowId);
                    case Tool.Origin.TablesOrigin _ -> tables;
                    case Tool.Origin.PlatformOrigin _ -> platformTools;
                };
    }

    void addTo(ObjectNode json) {
        json.put("allFlows", allFlows);
        flowIds.forEach(json.putArray("flowIds")::add);
        json.put("tables", tables).put("platformTools", platformTools);
        disabledTools.forEach(json.putArray("disabledTools")::add);
        pinnedTools.forEach(json.putArray("pinnedTools")::add);
    }

    /** An empty part stays unchanged. */
    record Change(
            Optional<Boolean> allFlows,
            Optional<List<String>> flowIds,
            Optional<Boolean> tables,
            Optional<Boolean> platformTools,
            Optional<List<String>> disabledTools,
            Optional<List<String>> pinnedTools) {
        static Change read(Fields body) {
            return new Change(
                    body.optionalFlag("allFlows"),
                    ToolNameList.read(body, "flowIds", ToolNameList.FLOWS_MAX),
                    body.optionalFlag("tables"),
                    body.optionalFlag("platformTools"),
                    ToolNameList.read(body, "disabledTools", ToolNameList.DISABLED_MAX),
                    ToolNameList.read(body, "pinnedTools", ToolNameList.PINNED_MAX));
        }

        ToolSelection of(ToolSelection current) {
            return new ToolSelection(
                    allFlows.orElseGet(current::allFlows),
                    distinct(flowIds, current::flowIds),
                    tables.orElseGet(current::tables),
                    platformTools.orElseGet(current::platformTools),
                    distinct(disabledTools, current::disabledTools),
                    distinct(pinnedTools, current::pinnedTools));
        }

        private static List<String> distinct(Optional<List<String>> chosen, Supplier<List<String>> current) {
            var seen = new HashSet<String>();
            return chosen.orElseGet(current).stream().filter(seen::add).toList();
        }
    }
}
