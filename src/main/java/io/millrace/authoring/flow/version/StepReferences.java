package io.millrace.authoring.flow.version;

import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.sandbox.expression.parser.References;
import java.util.LinkedHashSet;
import java.util.List;

/** What a version's steps point at outside the flow (contract flows-and-engine 2.13). */
public final class StepReferences {
    private static final String AI_PIECE = "@activepieces/piece-ai";

    private StepReferences() {}

    /** External ids of the connections that steps authenticate with. */
    public static List<String> connectionIds(StepTree tree) {
        var found = new LinkedHashSet<String>();
        for (var step : tree.steps()) {
            found.addAll(References.connectionNames(step.input().path("auth").asText("")));
        }
        return List.copyOf(found);
    }

    /** Agents that steps of the AI piece run. */
    static List<String> agentIds(StepTree tree) {
        return tree.steps().stream()
                .filter(step -> step instanceof PieceStep piece
                        && piece.pieceName().filter(AI_PIECE::equals).isPresent())
                .map(step -> step.input().path("agentId").asText(""))
                .filter(id -> !id.isEmpty())
                .distinct()
                .toList();
    }
}
