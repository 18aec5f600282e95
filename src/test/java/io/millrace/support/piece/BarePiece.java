package io.millrace.support.piece;

import io.millrace.piece.Action;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceTrigger;
import java.util.Map;

/** Piece without actions and triggers, unless a test adds some. */
public interface BarePiece extends Piece {
    @Override
    default Map<String, Action> actions() {
        return Map.of();
    }

    @Override
    default Map<String, PieceTrigger> triggers() {
        return Map.of();
    }
}
