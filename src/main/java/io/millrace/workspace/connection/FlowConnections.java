package io.millrace.workspace.connection;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Use of connections by flows. Implemented by the module of flows above, which is plugged in at start. */
public interface FlowConnections {
    /** A flow that names a connection in the version that is edited or in the one that is published. */
    record Usage(String projectId, String flowId, String externalId) {}

    /** Usages of connections with these names in these projects, flows in a stable order, each once. */
    Future<List<Usage>> usages(Tx tx, List<String> projectIds, List<String> externalIds);

    /**
     * Result of a replacement in flows.
     *
     * @param flowIds flows that were changed
     * @param publishedLeft published versions that still use the connection
     */
    record Replacement(List<String> flowIds, int publishedLeft) {
        public Replacement {
            flowIds = List.copyOf(flowIds);
        }
    }

    /**
     * Rewrites the steps of a project that use one connection to use another (contract admin-api 7.6): drafts always,
     * published versions when wanted.
     */
    Future<Replacement> replace(
            Tx tx, String projectId, String sourceExternalId, String targetExternalId, boolean publishedToo);

    /** Called after the transaction of a replacement has ended. */
    void announce(Replacement replacement);

    static FlowConnections none() {
        return new FlowConnections() {
            @Override
            public Future<List<Usage>> usages(Tx tx, List<String> projectIds, List<String> externalIds) {
                return Future.succeededFuture(List.of());
            }

            @Override
            public Future<Replacement> replace(
                    Tx tx, String projectId, String source, String target, boolean publishedToo) {
                return Future.succeededFuture(new Replacement(List.of(), 0));
            }

            @Override
            public void announce(Replacement replacement) {
                // No flow has changed.
            }
        };
    }
}
