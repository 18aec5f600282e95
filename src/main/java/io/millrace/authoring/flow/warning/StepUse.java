package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.step.Step;
import io.millrace.sandbox.expression.InputTemplate;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Names of steps that the expressions of a step read. */
final class StepUse {
    private static final Pattern NUMBERED = Pattern.compile("step_\\d+");
    private static final Pattern OUTPUT_OR_ERROR = Pattern.compile("(?<![\\w$.])([A-Za-z_$][\\w$]*+)\\s*+"
            + "(?:(?:\\?\\.|\\.)\\s*+(?:output|error)\\b|(?:\\?\\.)?\\[\\s*+['\"](?:output|error)['\"]\\s*+])");
    private static final Set<String> OTHER_ROOTS = Set.of("connections", "variables");

    private StepUse() {}

    /** The names, each with the path of the first text that reads it. */
    static Map<String, String> of(Step step) {
        var used = new LinkedHashMap<String, String>();
        for (var setting : SettingText.of(step)) {
            if (setting.hasExpression()) {
                collect(setting, used);
            }
        }
        return used;
    }

    private static void collect(SettingText setting, Map<String, String> used) {
        var references = InputTemplate.compile(TextNode.valueOf(setting.text())).references();
        references.stream()
                .filter(name -> NUMBERED.matcher(name).matches())
                .forEach(name -> used.putIfAbsent(name, setting.path()));
        OUTPUT_OR_ERROR
                .matcher(setting.text())
                .results()
                .map(match -> match.group(1))
                .filter(name -> references.contains(name) && !OTHER_ROOTS.contains(name))
                .forEach(name -> used.putIfAbsent(name, setting.path()));
    }
}
