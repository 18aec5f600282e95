package io.millrace.piece.builtin.text;

import io.millrace.piece.builtin.action.BoundedText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.jsoup.nodes.Element;

/**
 * Converts HTML to Markdown (contract pieces 14.3): each element is written at its end. Elements without an equivalent
 * in Markdown keep their text.
 */
final class HtmlMarkdown implements HtmlTree.Listener {
    private static final Set<String> EMPTY =
            Set.of("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr");
    private static final Set<String> BLOCKS = Set.of(
            "address",
            "article",
            "aside",
            "body",
            "dd",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
            "figure",
            "footer",
            "form",
            "header",
            "html",
            "main",
            "nav",
            "p",
            "section");
    private static final Set<String> ROWS = Set.of("table", "thead", "tbody", "tfoot", "tr", "caption", "colgroup");

    private static final int RULER_MAX = 200;

    private static final class OpenElement {
        private final String name;
        private final Element element;
        private final StringBuilder content = new StringBuilder();
        private final List<List<String>> rows = new ArrayList<>();
        private int items;

        OpenElement(Element element) {
            this.element = element;
            this.name = element.normalName();
            this.items = number(element.attr("start"), 1);
        }

        private static int number(String text, int absent) {
            try {
                return text.isEmpty() ? absent : Integer.parseInt(text);
            } catch (NumberFormatException noNumber) {
                return absent;
            }
        }
    }

    private final boolean extended;
    private final Deque<OpenElement> open = new ArrayDeque<>();

    private HtmlMarkdown(boolean extended) {
        this.extended = extended;
        open.push(new OpenElement(new Element("whole")));
    }

    /**
     * Converts HTML to Markdown.
     *
     * @param extended true for GitHub syntax of tables, tasks and struck text
     */
    static String of(String html, boolean extended) {
        var markdown = new HtmlMarkdown(extended);
        HtmlTree.read(html, markdown);
        return MarkdownText.joined(markdown.open.peek().content.toString());
    }

    private boolean isInside(String name) {
        return open.stream().anyMatch(element -> element.name.equals(name));
    }

    @Override
    public void text(String text) {
        var content = open.peek().content;
        if (isInside("pre")) {
            content.append(text);
        } else if (!ROWS.contains(open.peek().name)) {
            var words = text.replaceAll("[ \\t\\r\\n\\f]+", " ");
            var begins = content.isEmpty() || Character.isWhitespace(content.charAt(content.length() - 1));
            var told = begins && words.startsWith(" ") ? words.substring(1) : words;
            content.append(isInside("code") ? told : MarkdownText.escaped(told, begins));
        }
    }

    @Override
    public void opened(Element element) {
        if (EMPTY.contains(element.normalName())) {
            empty(element);
        } else {
            open.push(new OpenElement(element));
        }
    }

    private void empty(Element element) {
        var content = open.peek().content;
        switch (element.normalName()) {
            case "br" -> content.append(isInside("pre") ? "\n" : "  \n");
            case "hr" -> content.append("\n\n* * *\n\n");
            case "img" -> content.append(image(element));
            case "input" -> {
                if (extended && element.attr("type").equalsIgnoreCase("checkbox")) {
                    content.append(element.hasAttr("checked") ? "[x] " : "[ ] ");
                }
            }
            default -> {
                // Other elements have no output.
            }
        }
    }

    private static String image(Element image) {
        var source = image.attr("src");
        return source.isEmpty() ? "" : "![" + image.attr("alt").replace("\n", " ") + "](" + target(source, image) + ")";
    }

    private static String target(String url, Element element) {
        var title = element.attr("title");
        var plain = url.strip().replace("(", "\\(").replace(")", "\\)").replace(" ", "%20");
        return title.isEmpty() ? plain : plain + " \"" + title.replace("\"", "\\\"") + "\"";
    }

    @Override
    public void closed(Element element) {
        if (!EMPTY.contains(element.normalName())) {
            end();
        }
    }

    private void end() {
        var element = open.pop();
        var parent = open.peek();
        var content = element.content.toString();
        switch (element.name) {
            case "h1", "h2", "h3", "h4", "h5", "h6" -> block(heading(element.name.charAt(1) - '0', content.strip()));
            case "strong", "b" -> parent.content.append(MarkdownText.marked(content, "**"));
            case "em", "i" -> parent.content.append(MarkdownText.marked(content, "_"));
            case "del", "s", "strike" -> parent.content.append(extended ? MarkdownText.marked(content, "~~") : content);
            case "code", "kbd", "samp", "tt" -> code(content);
            case "pre" -> block(MarkdownText.indented(content.stripTrailing(), "    ", "    "));
            case "a" -> link(element.element, content);
            case "blockquote" ->
                block(content.isBlank() ? "" : MarkdownText.indented(MarkdownText.joined(content), "> ", "> "));
            case "ul", "ol" -> list(content);
            case "li" -> item(parent, content);
            case "td", "th" -> cell(parent, content);
            case "tr" -> row(element, parent, content);
            case "thead", "tbody", "tfoot" -> parent.rows.addAll(element.rows);
            case "table" -> block(extended ? MarkdownText.table(element.rows) : plain(element.rows));
            default -> {
                if (BLOCKS.contains(element.name) || element.name.equals("caption")) {
                    block(MarkdownText.joined(content));
                } else {
                    parent.content.append(content);
                }
            }
        }
    }

    private void block(String text) {
        if (!text.isBlank()) {
            var content = open.peek().content;
            BoundedText.check((long) content.length() + text.length());
            content.append("\n\n").append(text).append("\n\n");
        }
    }

    private static String heading(int level, String text) {
        var line = MarkdownText.inOneLine(text);
        return level > 2 || line.isEmpty()
                ? line.isEmpty() ? "" : "#".repeat(level) + " " + line
                : line + "\n" + (level == 1 ? "=" : "-").repeat(Math.min(RULER_MAX, line.length()));
    }

    /** A block of code is marked by its indentation. */
    private void code(String content) {
        var fence = content.contains("`") ? "``" : "`";
        open.peek().content.append(isInside("pre") || content.isBlank() ? content : fence + content + fence);
    }

    private void link(Element link, String content) {
        var url = link.attr("href");
        var label = MarkdownText.inOneLine(content);
        open.peek().content.append(url.isEmpty() ? content : "[" + label + "](" + target(url, link) + ")");
    }

    private void list(String content) {
        // A nested list continues the item's own lines.
        var text = content.strip();
        if (open.peek().name.equals("li")) {
            open.peek().content.append("\n").append(text).append("\n");
        } else {
            block(text);
        }
    }

    private void item(OpenElement list, String content) {
        var mark = list.name.equals("ol") ? list.items++ + "." : "*";
        var lead = mark + " ".repeat(Math.max(1, 4 - mark.length()));
        var text = MarkdownText.indented(MarkdownText.joined(content), lead, "    ");
        BoundedText.check((long) list.content.length() + text.length());
        list.content.append(text).append('\n');
    }

    private void cell(OpenElement row, String content) {
        var cells = row.rows.isEmpty() ? new ArrayList<String>() : row.rows.getFirst();
        if (row.rows.isEmpty()) {
            row.rows.add(cells);
        }
        cells.add(MarkdownText.inOneLine(MarkdownText.joined(content)).replace("|", "\\|"));
    }

    private static void row(OpenElement row, OpenElement table, String content) {
        if (row.rows.isEmpty()) {
            table.content.append(content);
        } else {
            table.rows.addAll(row.rows);
        }
    }

    private static String plain(List<List<String>> rows) {
        var text = new StringBuilder();
        rows.forEach(row -> row.forEach(cell -> text.append(cell).append("\n\n")));
        return text.toString().strip();
    }
}
