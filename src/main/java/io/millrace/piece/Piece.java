package io.millrace.piece;

import java.util.Map;

/** A connector: what flows use to begin and to act. Built-ins and packages stand behind this one interface. */
public interface Piece {
    PieceSpec spec();

    /** Actions by name, in the order they are shown. */
    Map<String, Action> actions();

    /** Triggers by name, in the order they are shown. */
    Map<String, PieceTrigger> triggers();
}
