package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.editor.StepProblem;
import io.millrace.sandbox.expression.InputTemplate;
import io.millrace.sandbox.expression.parser.Tokeniser;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Warns of expressions that read a field of a step without {@code output}, as older flows of other products do: a step has the
 * fields {@code output} and {@code error} only, so their value is empty.
 */
final class DirectFieldRule implements WarningRule {
    private static final Pattern FIELD = Pattern.compile("(?<![\\w$.'\"])([A-Za-z_$][\\w$]*+)\\s*+"
            + "(?:\\?\\.\\s*+|\\.\\s*+|(?=\\[))(?:([A-Za-z_$][\\w$]*+)|\\[\\s*+(['\"])([^'\"]*+)\\3\\s*+])");

    private static final Set<String> FIELDS = Set.of("output", "error");
    private static final Set<String> OTHER_ROOTS = Set.of("connections", "variables");

    @Override
    public Stream<StepProblem> check(CheckedFlow flow) {
        var names = flow.tree().names();
        return flow.activeSteps().stream()
                .flatMap(step -> SettingText.of(step).stream()
                        .flatMap(setting -> Tokeniser.tokens(setting.text()).stream()
                                .flatMap(token -> ofToken(token.inner(), names))
                                .distinct()
                                .map(field -> new StepProblem(step.name(), setting.path() + ": " + field))));
    }

    private static Stream<String> ofToken(String source, Set<String> names) {
        var fields = FIELD.matcher(source)
                .results()
                .filter(match -> names.contains(match.group(1)) && !OTHER_ROOTS.contains(match.group(1)))
                .filter(match -> !FIELDS.contains(field(match)))
                .toList();
        if (fields.isEmpty()) {
            return Stream.empty();
        }
        var read = InputTemplate.compile(TextNode.valueOf("{{" + source + "}}")).references();
        return fields.stream()
                .filter(match -> read.contains(match.group(1)))
                .map(match -> match.group(1) + " has no field " + ExpressionTokens.shown(field(match))
                        + ", so its value is empty; its fields are output and error: write " + match.group(1)
                        + "['output']['" + ExpressionTokens.shown(field(match)) + "']")
                .distinct();
    }

    private static String field(MatchResult match) {
        return match.group(2) == null ? match.group(4) : match.group(2);
    }
}
