package io.millrace.piece.builtin;

import io.millrace.piece.builtin.MarkdownHtml.Cursor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** A table of Markdown as HTML: a row of names, a row that says how columns stand, and the values. */
final class MarkdownTable {
    private static final Pattern COLUMN = Pattern.compile("\\s*(:?)-+(:?)\\s*");

    private MarkdownTable() {}

    static boolean begins(Cursor at) {
        var styles = at.following();
        return at.line().indexOf('|') >= 0
                && styles.indexOf('-') >= 0
                && cells(styles).stream().allMatch(cell -> COLUMN.matcher(cell).matches())
                && cells(styles).size() == cells(at.line()).size();
    }

    static String read(Cursor at, UnaryOperator<String> inline) {
        var names = cells(at.next());
        var styles = cells(at.next()).stream().map(MarkdownTable::style).toList();
        var html = new StringBuilder("<table>\n<thead>\n");
        row(html, "th", names, styles, inline);
        html.append("</thead>\n<tbody>\n");
        while (at.hasMore() && at.line().indexOf('|') >= 0) {
            row(html, "td", cells(at.next()), styles, inline);
        }
        return html.append("</tbody>\n</table>").toString();
    }

    /** As many cells as there are columns. */
    private static void row(
            StringBuilder html, String tag, List<String> cells, List<String> styles, UnaryOperator<String> inline) {
        html.append("<tr>\n");
        for (var i = 0; i < styles.size(); i++) {
            var content = i < cells.size() ? inline.apply(cells.get(i).strip()) : "";
            html.append('<').append(tag).append(styles.get(i)).append('>').append(content);
            html.append("</").append(tag).append(">\n");
        }
        html.append("</tr>\n");
    }

    private static String style(String cell) {
        var column = COLUMN.matcher(cell);
        if (!column.matches() || column.group(1).isEmpty() && column.group(2).isEmpty()) {
            return "";
        }
        var right = !column.group(2).isEmpty();
        return " style=\"text-align:" + (column.group(1).isEmpty() ? "right" : right ? "center" : "left") + ";\"";
    }

    /** A bar behind a backslash is a character like any other. */
    private static List<String> cells(String line) {
        var row = line.strip();
        var cells = new ArrayList<String>();
        var cell = new StringBuilder();
        for (var i = row.startsWith("|") ? 1 : 0; i < row.length(); i++) {
            var character = row.charAt(i);
            if (character == '\\' && i + 1 < row.length() && row.charAt(i + 1) == '|') {
                cell.append('|');
                i++;
            } else if (character == '|') {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(character);
            }
        }
        if (!cell.toString().isBlank()) {
            cells.add(cell.toString());
        }
        return cells;
    }
}
