package io.millrace.authoring.importer.n8n.step;

import io.millrace.authoring.importer.n8n.expression.ScriptTexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** JavaScript that offers the names of n8n to generated code steps; only the parts that the code names are included. */
public final class Prelude {
    private static final String FOLDER = "/io/millrace/authoring/importer/n8n/";
    private static final String CORE = part("core.js");
    private static final String EXTENSIONS = part("extensions.js");
    private static final String DATES = part("dates.js");
    private static final String JMESPATH = part("jmespath.js");
    private static final String MERGE = part("merge.js");
    private static final String HTML = part("html.js");

    private static final Pattern DATE_NAMES = Pattern.compile(
            "\\$now|\\$today|DateTime|Duration|\\$date\\b|beginningOf|endOfMonth|isBetween|inBetween|isWeekend|isInLast|diffTo|"
                    + "\"format\"|\"extract\"");

    private static final Pattern MERGE_NAMES = Pattern.compile("\\$(joined|aligned|multiplied|keyed)\\(");

    private Prelude() {}

    private static String part(String name) {
        try (var file = Prelude.class.getResourceAsStream(FOLDER + name)) {
            if (file == null) {
                throw new IllegalStateException("the resource " + FOLDER + name + " is missing");
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    public static String before(String code, String timezone) {
        var text = new StringBuilder("// Imported from n8n. The lines up to \"code\" define the names of n8n.\n");
        text.append(CORE);
        if (DATE_NAMES.matcher(code).find()) {
            text.append("const $zone = ")
                    .append(ScriptTexts.quoted(timezone))
                    .append(";\n")
                    .append(DATES);
        }
        if (code.contains("$ext(")) {
            text.append(EXTENSIONS);
        }
        if (code.contains("$jmespath") || code.contains("$jmesPath")) {
            text.append(JMESPATH);
        }
        if (code.contains("$extractHtml(")) {
            text.append(HTML);
        }
        if (MERGE_NAMES.matcher(code).find()) {
            text.append(MERGE);
        }
        return text.append(code).toString();
    }
}
