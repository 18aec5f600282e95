package io.millrace.piece.builtin.text;

import java.util.Set;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.nodes.TextNode;
import org.jsoup.parser.Parser;
import org.jsoup.select.NodeFilter;

/**
 * Lenient parser of untrusted HTML that visits element by element, as browsers read it; every input yields a tree.
 * Elements beyond the depth limit become siblings, so that the work is linear in the text.
 */
final class HtmlTree {
    private static final int DEPTH_MAX = 150;
    private static final Set<String> HIDDEN = Set.of("script", "style", "head", "template", "noscript");

    private HtmlTree() {}

    /** Receives the visible content in document order. */
    interface Listener {
        void text(String text);

        void opened(Element element);

        void closed(Element element);
    }

    static void read(String html, Listener listener) {
        var document = Parser.htmlParser().setMaxDepth(DEPTH_MAX).parseInput(html, "");
        document.body().filter(new NodeFilter() {
            @Override
            public FilterResult head(Node node, int depth) {
                if (node instanceof TextNode text) {
                    listener.text(text.getWholeText());
                } else if (node instanceof Element element) {
                    if (HIDDEN.contains(element.normalName())) {
                        return FilterResult.SKIP_ENTIRELY;
                    }
                    listener.opened(element);
                }
                return FilterResult.CONTINUE;
            }

            @Override
            public FilterResult tail(Node node, int depth) {
                if (node instanceof Element element) {
                    listener.closed(element);
                }
                return FilterResult.CONTINUE;
            }
        });
    }
}
