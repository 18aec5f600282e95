package io.millrace.piece.catalogue;

import java.util.Optional;

/**
 * Visibility scope of a piece lookup (contract pieces 13.3, decision 0076). Every scope contains built-ins and official
 * packages; a platform's scope adds its own packages and none of other platforms.
 *
 * @param platformId empty for a caller without a platform
 */
public record PieceScope(Optional<String> platformId) {
    public static final PieceScope EVERYBODY = new PieceScope(Optional.empty());

    public static PieceScope of(String platformId) {
        return new PieceScope(Optional.of(platformId));
    }
}
