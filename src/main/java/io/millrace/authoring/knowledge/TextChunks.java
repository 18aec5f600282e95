package io.millrace.authoring.knowledge;

import java.util.ArrayList;
import java.util.List;

/** Splits texts into chunks (contract agents 7). Pure. */
final class TextChunks {
    static final int LENGTH = 2_000;
    static final int OVERLAP = 200;

    private TextChunks() {}

    /** Chunks of equal length, each of which begins with the end of the previous one. */
    static List<String> ofText(String text) {
        var chunks = new ArrayList<String>();
        var start = 0;
        while (start < text.length()) {
            var end = whole(text, Math.min(text.length(), start + LENGTH));
            chunks.add(text.substring(start, end));
            if (end == text.length()) {
                return chunks;
            }
            start = whole(text, end - OVERLAP);
        }
        return chunks;
    }

    /** Surrogate pairs are not split. */
    private static int whole(String text, int index) {
        return index > 0 && index < text.length() && Character.isLowSurrogate(text.charAt(index)) ? index - 1 : index;
    }

    /** Chunks of whole rows, each with the header first; a row that exceeds one chunk continues in the next. */
    static List<String> ofRows(String text) {
        var rows = rows(text);
        if (rows.isEmpty() || rows.getFirst().length() > LENGTH / 2) {
            return ofText(text);
        }
        var header = rows.getFirst();
        var room = LENGTH - header.length() - 1;
        var chunks = new ArrayList<String>();
        var chunk = new StringBuilder(header);
        for (var row : rows.subList(1, rows.size())) {
            for (var part : parts(row, room)) {
                if (chunk.length() + 1 + part.length() > LENGTH) {
                    chunks.add(chunk.toString());
                    chunk = new StringBuilder(header);
                }
                chunk.append('\n').append(part);
            }
        }
        chunks.add(chunk.toString());
        return chunks;
    }

    private static List<String> parts(String row, int room) {
        var parts = new ArrayList<String>();
        for (var start = 0; start < row.length(); ) {
            var end = whole(row, Math.min(row.length(), start + room));
            parts.add(row.substring(start, end));
            start = end;
        }
        return parts;
    }

    /** Lines; line ends inside quotes do not count. */
    private static List<String> rows(String text) {
        var rows = new ArrayList<String>();
        var quoted = false;
        var start = 0;
        for (var index = 0; index < text.length(); index++) {
            var character = text.charAt(index);
            if (character == '"') {
                quoted = !quoted;
            } else if (character == '\n' && !quoted) {
                add(rows, text.substring(start, index));
                start = index + 1;
            }
        }
        add(rows, text.substring(start));
        return rows;
    }

    private static void add(List<String> rows, String line) {
        var row = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
        if (!row.isBlank()) {
            rows.add(row);
        }
    }
}
