package io.millrace.piece.builtin.text;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BoundedText;
import io.millrace.piece.input.ScriptValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A list of objects as a table of characters, one column for each name that any of them has. */
final class TextTable {
    private TextTable() {}

    static String of(JsonNode data) {
        if (!data.isArray()) {
            throw PieceFailure.of("data: expected a list of objects, found another value");
        }
        if (data.isEmpty()) {
            return "";
        }
        var widths = widths(data);
        var lineLength = widths.values().stream().mapToLong(width -> width + 3L).sum() + 2;
        BoundedText.check(lineLength * (data.size() + 4L));
        var border = "+"
                + String.join(
                        "+",
                        widths.values().stream()
                                .map(width -> "-".repeat(width + 2))
                                .toList()) + "+";
        var lines = new ArrayList<String>(data.size() + 4);
        lines.add(border);
        lines.add(line(widths, List.copyOf(widths.keySet())));
        lines.add(border);
        for (var row : data) {
            lines.add(line(
                    widths,
                    widths.keySet().stream().map(name -> cell(row, name)).toList()));
        }
        lines.add(border);
        return String.join("\n", lines);
    }

    private static Map<String, Integer> widths(JsonNode data) {
        var widths = new LinkedHashMap<String, Integer>();
        for (var row : data) {
            if (!row.isObject()) {
                throw PieceFailure.of("data: expected a list of objects, found a list with another value");
            }
            for (var field : row.properties()) {
                var name = field.getKey();
                widths.merge(name, Math.max(name.length(), cell(row, name).length()), Math::max);
            }
        }
        return widths;
    }

    private static String cell(JsonNode row, String name) {
        var value = row.path(name);
        return value.isMissingNode() || value.isNull() ? "" : ScriptValues.text(value);
    }

    private static String line(Map<String, Integer> widths, List<String> cells) {
        var line = new StringBuilder("|");
        var column = 0;
        for (var width : widths.values()) {
            var cell = cells.get(column++);
            line.append(' ')
                    .append(cell)
                    .append(" ".repeat(width - cell.length()))
                    .append(" |");
        }
        return line.toString();
    }
}
