package io.millrace.piece.catalogue;

import io.vertx.core.Future;
import java.util.Map;
import java.util.Optional;

/** How much pieces are used. Plugged in by a module above, which knows flows. */
@FunctionalInterface
public interface PieceUse {
    /**
     * In how many projects an enabled flow has the piece, by its name; one that none has is left out. Need not be of
     * this very moment.
     *
     * @param platformId of whoever asks; empty for somebody without a token
     */
    Future<Map<String, Integer>> projects(Optional<String> platformId);

    /** Nobody uses anything. */
    static PieceUse none() {
        return _ -> Future.succeededFuture(Map.of());
    }
}
