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

    /** True when the piece is offered to builders of flows in the project. */
    public boolean allows(String pieceName) {
        return piecesFilterType == PiecesFilterType.NONE || pieces.contains(pieceName);
    }
}
