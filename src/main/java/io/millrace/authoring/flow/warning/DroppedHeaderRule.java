package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.authoring.flow.step.PieceStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.base.http.page.AuthorContent;
import java.util.Map;
import java.util.stream.Stream;

/** Warns of response headers that the server does not send to the caller (decision 0104). */
final class DroppedHeaderRule implements WarningRule {
    private static final String WEBHOOK = "@activepieces/piece-webhook";

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        return flow.activeSteps().stream()
                .filter(DroppedHeaderRule::isAnswer)
                .flatMap(step -> step.input().path("fields").path("headers").properties().stream()
                        .filter(header -> !header.getValue().isNull() && isDropped(header.getKey(), header))
                        .map(header -> new StepProblem(
                                step.name(),
                                "input/fields/headers: the header " + header.getKey()
                                        + " is not sent to the caller, because it would affect more than this response;"
                                        + " remove it")));
    }

    private static boolean isAnswer(Step step) {
        return step instanceof PieceStep piece
                && piece.pieceName().filter(WEBHOOK::equals).isPresent();
    }

    private static boolean isDropped(String name, Map.Entry<String, JsonNode> header) {
        var value = header.getValue().asText();
        var isUnknown = name.contains("{{") || name.equalsIgnoreCase("Link") && value.contains("{{");
        return !isUnknown && !AuthorContent.reachesCaller(name, value);
    }
}
