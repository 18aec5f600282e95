package io.millrace.piece.catalogue;

import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/** Usage counts of pieces. Implemented by a higher module that knows flows. */
@FunctionalInterface
public interface PieceUse {
    /**
     * Number of projects with an enabled flow that uses the piece, by piece name; unused pieces are omitted. The counts
     * may be stale.
     *
     * @param platformId platform of the caller; empty for a caller without a token
     */
    Future<Map<String, Integer>> projects(Optional<String> platformId);

    static PieceUse none() {
        return _ -> Future.succeededFuture(Map.of());
    }
}
