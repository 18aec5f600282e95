package io.millrace.integration.diagnosis;

import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.Json;
import io.millrace.sandbox.expression.parser.References;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

final class VersionChanges {
    /** A use of a variable in the JSON text of a version, where quotes are escaped. */
    private static final Pattern VARIABLE = Pattern.compile(
            "\\bvariables\\s*+(?:\\?\\.\\s*+)?(?:\\[\\s*+\\\\?[\"']([^\"'\\\\]{1,255})|\\.\\s*+([A-Za-z_$][\\w$]{0,254}))");

    private static final int VARIABLES_MAX = 1_000;

    private VersionChanges() {}

    private record UsedPiece(String name, String version) {}

    static List<RunChange> between(String projectId, FlowVersion before, FlowVersion now) {
        var claims = new ArrayList<RunChange>();
        if (before.id().equals(now.id())) {
            return claims;
        }
        var evidence = Evidence.version(projectId, now.flowId(), now.id(), now.updated());
        claims.add(new RunChange(
                RunChange.Kind.FLOW_VERSION,
                now.displayName(),
                Optional.empty(),
                Optional.of(before.id()),
                Optional.of(now.id()),
                evidence));
        var former = pieces(before);
        pieces(now).forEach((step, piece) -> {
            var old = former.get(step);
            if (old != null && old.name().equals(piece.name()) && !old.version().equals(piece.version())) {
                claims.add(new RunChange(
                        RunChange.Kind.PIECE_VERSION,
                        piece.name(),
                        Optional.of(step),
                        Optional.of(old.version()),
                        Optional.of(piece.version()),
                        evidence));
            }
        });
        return claims;
    }

    private static Map<String, UsedPiece> pieces(FlowVersion version) {
        var pieces = new LinkedHashMap<String, UsedPiece>();
        for (var step : version.steps().steps()) {
            piece(step).ifPresent(piece -> pieces.put(step.name(), piece));
        }
        return pieces;
    }

    private static Optional<UsedPiece> piece(Step step) {
        return switch (step) {
            case PieceStep piece ->
                piece.pieceName()
                        .map(name -> new UsedPiece(name, piece.pieceVersion().orElse("")));
            case PieceTriggerStep piece ->
                piece.pieceName()
                        .map(name -> new UsedPiece(name, piece.pieceVersion().orElse("")));
            default -> Optional.empty();
        };
    }

    static List<String> variables(FlowVersion version) {
        return variables(Json.text(version.steps().toJson()));
    }

    static List<String> variables(String json) {
        var names = new TreeSet<String>();
        VARIABLE.matcher(json)
                .results()
                .limit(VARIABLES_MAX)
                .forEach(found -> names.add(found.group(1) == null ? found.group(2) : found.group(1)));
        return List.copyOf(names);
    }

    /** External ids of the connections that one step uses. */
    static List<String> connections(FlowVersion version, String stepName) {
        return version.steps()
                .find(stepName)
                .map(step ->
                        References.connectionNames(step.settings().path("input").toString()))
                .orElse(List.of());
    }
}
