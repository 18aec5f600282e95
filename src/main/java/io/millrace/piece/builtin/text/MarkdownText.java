package io.millrace.piece.builtin.text;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

final class MarkdownText {
    private static final String BLANKS = " \t\n\u000B\f\r";
    private static final String MARKS = "\\*_[]`";

    /** Text that would start a heading, a quotation or a list item at the beginning of a line. */
    private static final Pattern BEGINNING = Pattern.compile("(#{1,6} |>|[-+] |=+$|~~~)");

    private static final Pattern NUMBER = Pattern.compile("([0-9]{1,9})(\\. )");

    private MarkdownText() {}

    static String escaped(String text, boolean beginsLine) {
        var escaped = new StringBuilder();
        for (var i = 0; i < text.length(); i++) {
            if (MARKS.indexOf(text.charAt(i)) >= 0) {
                escaped.append('\\');
            }
            escaped.append(text.charAt(i));
        }
        if (beginsLine && BEGINNING.matcher(escaped).lookingAt()) {
            escaped.insert(0, '\\');
        }
        var number = NUMBER.matcher(escaped);
        if (beginsLine && number.lookingAt()) {
            escaped.insert(number.end(1), '\\');
        }
        return escaped.toString();
    }

    /** Puts markers around a text, directly next to its words. */
    static String marked(String content, String mark) {
        if (content.isBlank()) {
            return content;
        }
        var start = content.length() - content.stripLeading().length();
        var end = content.stripTrailing().length();
        return content.substring(0, start) + mark + content.substring(start, end) + mark + content.substring(end);
    }

    /** Blocks with one blank line between them, none around them. */
    static String joined(String blocks) {
        var joined = new StringBuilder();
        var blank = true;
        for (var line : blocks.lines().toList()) {
            if (!line.isBlank()) {
                joined.append(blank && !joined.isEmpty() ? "\n" : "")
                        .append(line)
                        .append('\n');
            }
            blank = line.isBlank();
        }
        return joined.toString().stripTrailing();
    }

    /**
     * Joins lines: each line end with its surrounding blanks becomes one blank. Not a regular expression, which would
     * be quadratic in long runs of blanks.
     */
    static String inOneLine(String text) {
        var line = new StringBuilder();
        for (var at = 0; at < text.length(); ) {
            var end = at;
            while (end < text.length() && BLANKS.indexOf(text.charAt(end)) >= 0) {
                end++;
            }
            var blanks = text.substring(at, end);
            line.append(blanks.indexOf('\n') >= 0 ? " " : blanks);
            if (end < text.length()) {
                line.append(text.charAt(end));
            }
            at = end + 1;
        }
        return line.toString();
    }

    /** Lines after a mark: the first one after its own mark, blank ones without trailing spaces. */
    static String indented(String text, String first, String others) {
        var lines = text.split("\n", -1);
        var indented = new StringBuilder(first).append(lines[0]);
        for (var i = 1; i < lines.length; i++) {
            indented.append('\n').append(lines[i].isBlank() ? others.stripTrailing() : others + lines[i]);
        }
        return indented.toString();
    }

    /** A table whose first row has the names; empty for none. */
    static String table(List<List<String>> rows) {
        var columns = rows.stream().mapToInt(List::size).max().orElse(0);
        if (columns == 0) {
            return "";
        }
        var lines = new StringBuilder(row(rows.getFirst(), columns)).append("\n| ");
        lines.append("--- | ".repeat(columns).stripTrailing());
        rows.stream().skip(1).forEach(row -> lines.append('\n').append(row(row, columns)));
        return lines.toString();
    }

    private static String row(List<String> cells, int columns) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |")) + "  |".repeat(columns - cells.size());
    }
}
