package io.millrace.workspace.project;

import java.util.List;
import java.util.Optional;

/**
 * What a product outside wants a project of its own to be (contract admin-api 14). What is empty stays as it is.
 *
 * @param externalId the project's id in that product
 */
public record ManagedProject(
        String externalId, Optional<String> displayName, Optional<Pool> pool, Optional<PieceAccess> pieces) {

    /** The limit of concurrent runs that projects of one key share (36.3). */
    public record Pool(String key, int limit) {}

    /** Which pieces its flows may use. */
    public record PieceAccess(PiecesFilterType filterType, List<String> pieces) {
        public PieceAccess {
            pieces = List.copyOf(pieces);
        }
    }
}
