package io.millrace.workspace.project;

import java.util.List;
import java.util.Optional;

/**
 * Project of an embedding product (contract admin-api 14). Empty properties stay unchanged.
 *
 * @param externalId the project's id in that product
 * @param displayName of any form; dots, slashes and control characters become spaces
 */
public record ManagedProject(
        String externalId, Optional<String> displayName, Optional<Pool> pool, Optional<PieceAccess> pieces) {

    /** The limit of concurrent runs that projects of one key share (36.3). */
    public record Pool(String key, int limit) {}

    public record PieceAccess(PiecesFilterType filterType, List<String> pieces) {
        public PieceAccess {
            pieces = List.copyOf(pieces);
        }
    }
}
