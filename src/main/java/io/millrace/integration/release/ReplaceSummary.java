package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.folder.ProjectFolders;
import io.millrace.base.core.Json;
import io.millrace.integration.release.StateDiff.ConnectionChange;
import io.millrace.integration.release.StateDiff.FlowChange;
import io.millrace.integration.release.StateDiff.TableChange;
import java.util.List;

/** Counts the changes of a project replace (contract admin-api 11). */
final class ReplaceSummary {
    private ReplaceSummary() {}

    /** Counters, and an empty list of failures: a replace is atomic. */
    static ObjectNode of(ProjectDocument document, StateDiff diff, ProjectFolders.Diff folders) {
        var summary = Json.object();
        var applied = summary.putObject("applied");
        var created = count(diff.flows(), FlowChange.Create.class);
        var updated = count(diff.flows(), FlowChange.Update.class);
        var newTables = count(diff.tables(), TableChange.Create.class);
        var changedTables = count(diff.tables(), TableChange.Update.class);
        applied.put("flowsCreated", created)
                .put("flowsUpdated", updated)
                .put("flowsDeleted", count(diff.flows(), FlowChange.Delete.class))
                .put("flowsUnchanged", document.state().flows().size() - created - updated)
                .put("tablesCreated", newTables)
                .put("tablesUpdated", changedTables)
                .put("tablesDeleted", count(diff.tables(), TableChange.Delete.class))
                .put("tablesUnchanged", document.state().tables().size() - newTables - changedTables)
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

    private static <T> int count(List<T> changes, Class<? extends T> type) {
        return Math.toIntExact(changes.stream().filter(type::isInstance).count());
    }
}
