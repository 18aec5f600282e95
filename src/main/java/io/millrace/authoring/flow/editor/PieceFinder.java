package io.millrace.authoring.flow.editor;

import io.millrace.piece.Piece;
import io.millrace.piece.catalogue.PieceScope;
import java.util.Optional;

/** Finds pieces for the validator; implemented over the catalogue of pieces. */
@FunctionalInterface
public interface PieceFinder {
    /** A piece of the scope at exactly this version. */
    Optional<Piece> find(PieceScope scope, String name, String exactVersion);
}
