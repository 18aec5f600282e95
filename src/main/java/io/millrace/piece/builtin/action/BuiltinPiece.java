package io.millrace.piece.builtin.action;

import io.millrace.piece.Action;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.catalogue.PieceCategory;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A piece with actions and triggers in display order. */
public record BuiltinPiece(PieceSpec spec, Map<String, Action> actions, Map<String, PieceTrigger> triggers)
        implements Piece {
    public static Piece of(PieceSpec spec, List<Action> actions, List<PieceTrigger> triggers) {
        var actionsByName = new LinkedHashMap<String, Action>();
        actions.forEach(action -> actionsByName.put(action.spec().name(), action));
        var triggersByName = new LinkedHashMap<String, PieceTrigger>();
        triggers.forEach(trigger -> triggersByName.put(trigger.spec().name(), trigger));
        return new BuiltinPiece(
                spec, Collections.unmodifiableMap(actionsByName), Collections.unmodifiableMap(triggersByName));
    }

    /**
     * Names of a piece without authentication.
     *
     * @param shortName name after {@code @activepieces/piece-}
     * @param logo file name at the place where clients look for the logos of pieces
     */
    public static PieceSpec spec(
            String shortName,
            String displayName,
            String description,
            String logo,
            List<PieceCategory> categories,
            List<String> versions) {
        return new PieceSpec(
                "@activepieces/piece-" + shortName,
                displayName,
                description,
                "https://cdn.activepieces.com/pieces/" + logo,
                List.of("millrace"),
                categories.stream().map(PieceCategory::name).toList(),
                versions,
                null);
    }
}
