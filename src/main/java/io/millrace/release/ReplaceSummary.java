package io.millrace.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.Json;
import io.millrace.flow.ProjectFolders;
import io.millrace.release.StateDiff.ConnectionChange;
import io.millrace.release.StateDiff.FlowChange;

/** Counts what a project replace does (contract admin-api 11). */
final class ReplaceSummary {
    private ReplaceSummary() {}

    /** Counters, and an empty list of failures: it lands whole. */
    static ObjectNode of(ProjectDocument document, StateDiff diff, ProjectFolders.Diff folders) {
        var summary = Json.object();
        var applied = summary.putObject("applied");
        var created = count(diff, FlowChange.Create.class);
        var updated = count(diff, FlowChange.Update.class);
        applied.put("flowsCreated", created)
                .put("flowsUpdated", updated)
                .put("flowsDeleted", count(diff, FlowChange.Delete.class))
                .put("flowsUnchanged", document.state().flows().size() - created - updated)
                .put("tablesCreated", 0)
                .put("tablesUpdated", 0)
                .put("tablesDeleted", 0)
                .put("tablesUnchanged", 0)
                .put("foldersCreated", folders.created().size())
                .put("foldersUpdated", folders.updated().size())
                .put("foldersDeleted", folders.deleted().size())
                .put("foldersUnchanged", folders.unchanged());
        var connections = diff.connections();
        var places = Math.toIntExact(connections.stream()
                .filter(ConnectionChange.Create.class::isInstance)
                .count());
        applied.put("connectionsCreated", places)
                .put("connectionsUpdated", connections.size() - places)
                .put("connectionsUnchanged", document.state().connections().size() - connections.size());
        summary.putArray("failed");
        return summary;
    }

    private static int count(StateDiff diff, Class<? extends FlowChange> type) {
        return Math.toIntExact(diff.flows().stream().filter(type::isInstance).count());
    }
}
