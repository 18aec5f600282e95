package io.millrace.app;

import io.millrace.account.sealing.Sealing;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.limit.FlowLimits;
import io.millrace.base.cluster.ClusterVerticle.Vocabulary;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.connection.Connections;
import io.millrace.workspace.project.Projects;
import java.util.List;
import java.util.Map;

/** What the modules tell each other from node to node: by the database's log of changes, and by notices that travel. */
final class ClusterVocabulary {
    private ClusterVocabulary() {}

    static Vocabulary whole() {
        return new Vocabulary(
                Map.of(
                        "flow", Flows.Changed::new,
                        "limit", FlowLimits.Changed::new,
                        "project", Projects.Changed::new,
                        "piece", _ -> new Pieces.RowsChanged(),
                        "connection", _ -> new Connections.ValuesChanged(),
                        "secret", _ -> new Sealing.KeysChanged()),
                List.of());
    }
}
