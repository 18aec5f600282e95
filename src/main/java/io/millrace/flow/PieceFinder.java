package io.millrace.flow;

import io.millrace.piece.Piece;
import java.util.Optional;

/** Finds pieces for the validator; the catalogue of pieces stands behind it. */
@FunctionalInterface
public interface PieceFinder {
    /** The piece at exactly this version. */
    Optional<Piece> find(String name, String exactVersion);
}
