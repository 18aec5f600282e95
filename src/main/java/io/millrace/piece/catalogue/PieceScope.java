package io.millrace.piece.catalogue;

import java.util.Optional;

/**
 * For whom pieces are looked up (contract pieces 13.3, decision 0076). Everybody has what came with the server and the
 * official packages; a platform has its own packages besides, and those of no other platform.
 *
 * @param platformId empty for somebody of no platform
 */
public record PieceScope(Optional<String> platformId) {
    /** What everybody has. */
    public static final PieceScope EVERYBODY = new PieceScope(Optional.empty());

    /** What a platform has. */
    public static PieceScope of(String platformId) {
        return new PieceScope(Optional.of(platformId));
    }
}
