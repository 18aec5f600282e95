package io.millrace.engine.run.flowtest;

import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.CompiledVersion;
import io.millrace.piece.Piece;
import io.millrace.piece.builtin.http.HttpPiece;
import io.millrace.support.FlowScript;
import java.util.ArrayList;
import java.util.List;

/** Compiled flows for tests of this package. */
final class FlowPlans {
    private FlowPlans() {}

    static CompiledFlow of(FlowScript script) {
        return of(script, List.of());
    }

    static CompiledFlow of(FlowScript script, List<Piece> morePieces) {
        var pieces = new ArrayList<Piece>(List.of(HttpPiece.withoutClient()));
        pieces.addAll(morePieces);
        return CompiledVersion.of(script, CompiledVersion.compiler(pieces)).flow();
    }
}
