package io.millrace.workspace.project;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Numbers of flows of projects. Implemented by the module of flows above, which is plugged in at start. */
public interface FlowFigures {
    /**
     * Flows of one project.
     *
     * @param active enabled flows
     */
    record Count(int total, int active) {
        public static final Count ZERO = new Count(0, 0);
    }

    /** Counts by project id; a project without flows may be left out. */
    Future<Map<String, Count>> count(Tx tx, List<String> projectIds);

    static FlowFigures none() {
        return (_, _) -> Future.succeededFuture(Map.of());
    }
}
