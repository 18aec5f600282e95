package io.millrace.piece.catalogue;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Restricts the pieces offered in editors; existing flows with other pieces still run. Implemented by a higher module.
 */
public interface PieceChoices {
    /**
     * Returns a filter for the names of offered pieces.
     *
     * @param platformId platform of the caller; empty for a caller without a token
     * @param projectId project of the flow; empty for none; ignored for a project of another platform
     * @param includeHidden true to include pieces that the platform does not offer
     */
    Future<Predicate<String>> offered(Optional<String> platformId, Optional<String> projectId, boolean includeHidden);

    static PieceChoices all() {
        return (_, _, _) -> Future.succeededFuture(_ -> true);
    }
}
