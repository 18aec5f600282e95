package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BoundedText;
import io.millrace.piece.input.ScriptValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A list of objects as a table in text: one column for each name that any of them has, a header in front. */
public final class CsvWriter {
    private CsvWriter() {}

    public static String write(JsonNode list, char delimiter) {
        if (!list.isArray()) {
            throw PieceFailure.of("Expected a list of objects, found another value");
        }
        if (list.isEmpty()) {
            return "";
        }
        var columns = new LinkedHashSet<String>();
        var rows = new ArrayList<Map<String, String>>(list.size());
        for (var item : list) {
            if (!item.isContainerNode()) {
                throw PieceFailure.of("Expected a list of objects, found a list with another value");
            }
            var row = new LinkedHashMap<String, String>();
            flatten("", item, row);
            columns.addAll(row.keySet());
            rows.add(row);
        }
        return write(columns, rows, delimiter);
    }

    private static void flatten(String path, JsonNode value, Map<String, String> row) {
        if (value.isArray() && !value.isEmpty()) {
            for (var index = 0; index < value.size(); index++) {
                flatten(joined(path, String.valueOf(index)), value.get(index), row);
            }
        } else if (value.isObject() && !value.isEmpty()) {
            for (var field : value.properties()) {
                flatten(joined(path, field.getKey()), field.getValue(), row);
            }
        } else if (!path.isEmpty()) {
            row.put(path, value.isNull() || value.isContainerNode() ? "" : ScriptValues.text(value));
        }
    }

    private static String joined(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** A header of all columns, and a line for each row; a column that a row lacks is empty. */
    public static String write(Set<String> columns, List<Map<String, String>> rows, char delimiter) {
        BoundedText.check((long) columns.size() * rows.size());
        var separator = String.valueOf(delimiter);
        var table = new BoundedText();
        table.append(columns.stream().map(name -> quoted(name, delimiter)).collect(Collectors.joining(separator)))
                .append("\n");
        for (var row : rows) {
            table.append(columns.stream()
                            .map(name -> quoted(row.getOrDefault(name, ""), delimiter))
                            .collect(Collectors.joining(separator)))
                    .append("\n");
        }
        return table.toString();
    }

    private static String quoted(String field, char delimiter) {
        var plain = field.chars()
                .noneMatch(character ->
                        character == delimiter || character == '"' || character == '\n' || character == '\r');
        return plain ? field : "\"" + field.replace("\"", "\"\"") + "\"";
    }
}
