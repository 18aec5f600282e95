package io.millrace.workspace.project;

import java.time.Instant;
import java.util.List;

/** Pieces and features that a project may use (contract admin-api 3.1). */
public record ProjectPlan(
        String id,
        Instant created,
        Instant updated,
        boolean locked,
        String name,
        PiecesFilterType piecesFilterType,
        List<String> pieces) {
    public ProjectPlan {
        pieces = List.copyOf(pieces);
    }

    public boolean allows(String pieceName) {
        return piecesFilterType == PiecesFilterType.NONE || pieces.contains(pieceName);
    }
}
