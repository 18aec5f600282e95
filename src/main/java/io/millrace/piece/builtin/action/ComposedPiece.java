package io.millrace.piece.builtin.action;

import io.millrace.piece.Action;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.PieceTrigger;
import java.util.Map;

/** A piece that answers questions about its parts itself. */
public interface ComposedPiece extends Piece {
    Piece parts();

    @Override
    default PieceSpec spec() {
        return parts().spec();
    }

    @Override
    default Map<String, Action> actions() {
        return parts().actions();
    }

    @Override
    default Map<String, PieceTrigger> triggers() {
        return parts().triggers();
    }
}
