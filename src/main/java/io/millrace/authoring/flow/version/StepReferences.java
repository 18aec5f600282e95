package io.millrace.authoring.flow.version;

import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.sandbox.expression.parser.References;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** References of a version's steps to entities outside the flow (contract flows-and-engine 2.13). */
public final class StepReferences {
    private static final String AI_PIECE = "@activepieces/piece-ai";

    private StepReferences() {}

    /** External ids of the connections that steps use for authentication. */
    public static List<String> connectionIds(StepTree tree) {
        var found = new LinkedHashSet<String>();
        for (var step : tree.steps()) {
            found.addAll(References.connectionNames(step.input().path("auth").asText("")));
        }
        return List.copyOf(found);
    }

    /** External ids of agents that steps of the AI piece run. */
    static List<String> agentIds(StepTree tree) {
        return ofAgents(tree).map(StepReferences::agentOf).distinct().toList();
    }

    /** External ids of the agents that steps run, by step name; agents given by an expression are omitted. */
    public static Map<String, String> agentsByStep(StepTree tree) {
        var found = new LinkedHashMap<String, String>();
        ofAgents(tree)
                .filter(step -> !step.isSkipped() && !agentOf(step).contains("{{"))
                .forEach(step -> found.put(step.name(), agentOf(step)));
        return found;
    }

    private static Stream<Step> ofAgents(StepTree tree) {
        return tree.steps().stream()
                .filter(step -> step instanceof PieceStep piece
                        && piece.pieceName().filter(AI_PIECE::equals).isPresent())
                .filter(step -> !agentOf(step).isEmpty());
    }

    private static String agentOf(Step step) {
        return step.input().path("agentId").asText("");
    }
}
