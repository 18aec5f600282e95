package io.millrace.workspace.model.format;

import java.util.regex.Pattern;

/** Tool names in the form that every provider accepts in earlier calls: a model may call a tool that does not exist. */
final class ToolNames {
    private static final int LENGTH_MAX = 64;
    private static final Pattern REFUSED = Pattern.compile("[^A-Za-z0-9_-]");

    private ToolNames() {}

    static String accepted(String name) {
        var plain = REFUSED.matcher(name).replaceAll("_");
        return plain.isEmpty() ? "unknown" : plain.substring(0, Math.min(plain.length(), LENGTH_MAX));
    }
}
