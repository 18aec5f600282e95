package io.millrace.authoring.importer.n8n;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.importer.n8n.step.NodeEntry;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Map;

/**
 * A flow that a workflow became.
 *
 * @param template displayName, trigger, schemaVersion and notes of the flow
 * @param toolKey external id by which agent steps of the same workflow refer to the flow; empty for none
 * @param samples output of steps by their name, from pinned data
 * @param entries report about each node
 * @param differences differences that belong to no single node
 */
public record FlowImport(
        String displayName,
        String toolKey,
        ObjectNode template,
        Map<String, JsonNode> samples,
        List<NodeEntry> entries,
        List<String> differences) {
    public FlowImport {
        samples = Map.copyOf(samples);
        entries = List.copyOf(entries);
        differences = List.copyOf(differences);
    }

    public ObjectNode report() {
        var report = Json.object().put("displayName", displayName);
        var figures = ImportFigures.of(entries);
        report.set("nodes", figures.nodes());
        report.set("expressions", figures.expressions());
        differences.forEach(report.putArray("differences")::add);
        var list = report.putArray("entries");
        entries.forEach(entry -> list.add(entry.toJson()));
        return report;
    }
}
