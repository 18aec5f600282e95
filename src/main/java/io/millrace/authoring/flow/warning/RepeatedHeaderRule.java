package io.millrace.authoring.flow.warning;

import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** Warns of headers whose names differ in case or spaces only: HTTP and mail take them for one, and one value is lost. */
final class RepeatedHeaderRule implements WarningRule {
    private static final Map<String, List<String>> PLACES = Map.of(
            "@activepieces/piece-webhook", List.of("fields/headers"),
            "@activepieces/piece-http", List.of("headers"),
            "@activepieces/piece-graphql", List.of("headers"),
            "@activepieces/piece-smtp", List.of("customHeaders"));

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .flatMap(step -> places(step).stream().flatMap(place -> repeated(step, place)));
    }

    private static List<String> places(Step step) {
        return step instanceof PieceStep piece
                ? piece.pieceName()
                        .map(name -> PLACES.getOrDefault(name, List.of()))
                        .orElse(List.of())
                : List.of();
    }

    private static Stream<StepProblem> repeated(Step step, String place) {
        var first = new HashMap<String, String>();
        return step.input().at("/" + place).properties().stream()
                .filter(header -> !header.getValue().isNull())
                .flatMap(header -> {
                    var plain = header.getKey().strip().toLowerCase(Locale.ROOT);
                    var other = first.putIfAbsent(plain, header.getKey());
                    return other == null || plain.isEmpty()
                            ? Stream.empty()
                            : Stream.of(new StepProblem(
                                    step.name(),
                                    "input/" + place + ": \"" + other + "\" and \"" + header.getKey()
                                            + "\" are the same header, so one value hides the other; remove one"));
                });
    }
}
