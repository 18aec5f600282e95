package io.millrace.piece.builtin;

import io.millrace.piece.builtin.MarkdownHtml.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A list of Markdown as HTML; its items hold blocks, further lists among them. */
final class MarkdownList {
    private static final Pattern ITEM = Pattern.compile("( {0,3})([*+-]|[0-9]{1,9}[.)])( {1,4}|$)(.*)");
    private static final Pattern TASK = Pattern.compile("\\[([ xX])] (.*)", Pattern.DOTALL);
    private static final String BOX =
            "<input type=\"checkbox\" disabled style=\"margin: 0px 0.35em 0.25em -1.6em; vertical-align: middle;\"";

    private final MarkdownHtml document;
    private final boolean hasTasks;

    /** @param hasTasks whether an item may begin with a box */
    MarkdownList(MarkdownHtml document, boolean hasTasks) {
        this.document = document;
        this.hasTasks = hasTasks;
    }

    static boolean isItem(String line) {
        return ITEM.matcher(line).matches();
    }

    String read(Cursor at, int depth) {
        var isOrdered = isOrdered(at.line());
        var items = new ArrayList<List<String>>();
        var isLoose = false;
        while (at.hasMore() && isItem(at.line()) && isOrdered(at.line()) == isOrdered) {
            var item = item(at);
            var more = at.hasMore() && isItem(at.line());
            isLoose |= item.getLast().isBlank() && more || hasGap(item);
            items.add(item);
        }
        var html = new StringBuilder(isOrdered ? "<ol>\n" : "<ul>\n");
        for (var item : items) {
            html.append(written(item, isLoose, depth)).append('\n');
        }
        return html.append(isOrdered ? "</ol>" : "</ul>").toString();
    }

    private static boolean isOrdered(String line) {
        return Character.isDigit(line.strip().charAt(0));
    }

    /** The lines of an item without what sets them in; blank ones only where more of the item follows. */
    private static List<String> item(Cursor at) {
        var first = ITEM.matcher(at.next());
        if (!first.matches()) {
            throw new IllegalStateException("expected an item of a list");
        }
        var indent = first.group(1).length() + 2;
        var lines = new ArrayList<String>();
        lines.add(first.group(4));
        while (at.hasMore()) {
            var line = at.line();
            var spaces = line.length() - line.stripLeading().length();
            if (line.isBlank() ? !goesOn(at.following(), indent) : spaces < indent && isNoLongerItem(line, lines)) {
                break;
            }
            lines.add(line.substring(Math.min(spaces, Math.max(indent, Math.min(4, spaces)))));
            at.next();
        }
        return lines;
    }

    private static boolean goesOn(String following, int indent) {
        return following.startsWith(" ".repeat(indent)) || isItem(following);
    }

    /** A paragraph may go on without being set in, unless a blank line or another item ended it. */
    private static boolean isNoLongerItem(String line, List<String> lines) {
        return isItem(line) || lines.getLast().isBlank();
    }

    private static boolean hasGap(List<String> item) {
        return item.subList(0, item.size() - 1).stream().anyMatch(String::isBlank)
                && !item.getLast().isBlank()
                && !isItem(item.getLast());
    }

    private String written(List<String> item, boolean isLoose, int depth) {
        var task = TASK.matcher(String.join("\n", item));
        if (hasTasks && task.matches()) {
            var checked = task.group(1).isBlank() ? "" : " checked";
            var lines = task.group(2).lines().toList();
            return "<li class=\"task-list-item\" style=\"list-style-type: none;\">" + BOX + checked + "> "
                    + content(lines, isLoose, depth) + "</li>";
        }
        return "<li>" + content(item, isLoose, depth) + "</li>";
    }

    private String content(List<String> lines, boolean isLoose, int depth) {
        var html = document.blocks(lines, depth + 1);
        if (isLoose || !html.startsWith("<p>")) {
            return html;
        }
        var end = html.indexOf("</p>");
        return html.substring("<p>".length(), end) + html.substring(end + "</p>".length());
    }
}
