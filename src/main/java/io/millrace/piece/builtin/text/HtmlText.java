package io.millrace.piece.builtin.text;

import java.util.Set;
import org.jsoup.nodes.Element;

/**
 * Visible text of an HTML document, without tags, comments, scripts and styles. Block elements are separated by a
 * space.
 */
final class HtmlText implements HtmlTree.Listener {
    private static final Set<String> INLINE = Set.of(
            "a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "font", "i", "kbd", "mark", "q", "s", "samp", "small",
            "span", "strong", "sub", "sup", "time", "u", "var", "wbr");

    private final StringBuilder seen = new StringBuilder();

    private HtmlText() {}

    static String of(String html) {
        var text = new HtmlText();
        HtmlTree.read(html, text);
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
    public void opened(Element element) {
        closed(element);
    }

    @Override
    public void closed(Element element) {
        if (!INLINE.contains(element.normalName())) {
            seen.append(' ');
        }
    }
}
