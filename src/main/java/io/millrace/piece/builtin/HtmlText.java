package io.millrace.piece.builtin;

import java.util.Map;
import java.util.Set;

/**
 * What a reader sees of an HTML text: no tags, no comments, nothing of scripts and styles. Elements that stand on lines
 * of their own are parted by a space.
 */
final class HtmlText implements HtmlReader.Listener {
    private static final Set<String> HIDDEN = Set.of("script", "style", "head", "template", "noscript");

    private static final Set<String> INLINE = Set.of(
            "a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "samp", "small",
            "span", "strong", "sub", "sup", "time", "u", "var", "wbr");

    private final StringBuilder seen = new StringBuilder();

    private HtmlText() {}

    static String of(String html) {
        var text = new HtmlText();
        HtmlReader.read(html, text);
        return text.seen
                .toString()
                .replace('\u00a0', ' ')
                .replaceAll("[ \\t\\x0B\\f\\r\\n]+", " ")
                .strip();
    }

    @Override
    public void text(String text) {
        seen.append(text);
    }

    @Override
    public boolean opened(String name, Map<String, String> attributes) {
        closed(name);
        return HIDDEN.contains(name);
    }

    @Override
    public void closed(String name) {
        if (!INLINE.contains(name)) {
            seen.append(' ');
        }
    }
}
