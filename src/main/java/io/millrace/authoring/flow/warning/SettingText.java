package io.millrace.authoring.flow.warning;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.step.Step;
import io.millrace.base.core.CutText;
import io.millrace.sandbox.expression.parser.Tokeniser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A text among the settings of a step that expressions are resolved in.
 *
 * @param path location, for example {@code input/headers/Accept}
 * @param key innermost name of the path, ignoring list indexes; a long one is cut
 */
record SettingText(String path, String key, String text) {
    private static final int PATH_LENGTH_MAX = 1_000;

    /** No rule knows a longer key. */
    private static final int KEY_LENGTH_MAX = 100;

    private static final List<String> RESOLVED = List.of("input", "items", "branches");

    /** All texts of the settings of a step that a run resolves; the source of code is not among them. */
    static List<SettingText> of(Step step) {
        var found = new ArrayList<SettingText>();
        for (var part : RESOLVED) {
            collect(part, part, step.settings().path(part), found);
        }
        return found;
    }

    static List<SettingText> withCode(Step step) {
        var found = of(step);
        if (step instanceof CodeStep code) {
            found.add(new SettingText("sourceCode/code", "code", code.code()));
        }
        return found;
    }

    private static void collect(String path, String key, JsonNode node, List<SettingText> found) {
        if (node.isTextual()) {
            found.add(new SettingText(path, key, node.textValue()));
        } else if (node.isArray()) {
            for (var index = 0; index < node.size(); index++) {
                collect(inner(path, String.valueOf(index)), key, node.get(index), found);
            }
        } else {
            node.properties()
                    .forEach(field -> collect(
                            inner(path, field.getKey()),
                            CutText.of(field.getKey(), KEY_LENGTH_MAX),
                            field.getValue(),
                            found));
        }
    }

    /** Path of a part; a long one is cut, because each text of a large list would repeat it. */
    private static String inner(String path, String name) {
        return path.length() > PATH_LENGTH_MAX ? path : path + "/" + CutText.of(name, PATH_LENGTH_MAX);
    }

    /** The key without case and separators: {@code X-Api-Key} and {@code xApiKey} are the same. */
    String plainKey() {
        return key.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }

    boolean hasExpression() {
        return text.contains("{{") || hasFormula();
    }

    boolean hasFormula() {
        return text.contains(Tokeniser.FORMULA_OPEN);
    }
}
