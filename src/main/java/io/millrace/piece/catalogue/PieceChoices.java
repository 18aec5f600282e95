package io.millrace.piece.catalogue;

import io.vertx.core.Future;
import java.util.Optional;
import java.util.function.Predicate;

/** Which pieces are offered where flows are built; a flow that uses another one still runs. Plugged in by a module above. */
public interface PieceChoices {
    /**
     * Judges the names of pieces.
     *
     * @param platformId of whoever asks; empty for somebody without a token
     * @param projectId where a flow is built; empty for no project, and without effect for one of another platform
     * @param includeHidden whether pieces that the platform does not offer are wanted too
     */
    Future<Predicate<String>> offered(Optional<String> platformId, Optional<String> projectId, boolean includeHidden);

    /** Offers every piece. */
    static PieceChoices all() {
        return (_, _, _) -> Future.succeededFuture(_ -> true);
    }
}
