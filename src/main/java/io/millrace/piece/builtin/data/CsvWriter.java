package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.input.DistinctNames;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BoundedText;
import io.millrace.piece.input.ScriptValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A list of objects as a table in text: one column for each path of names that any of them has, a header in front. Paths that
 * make the same name are numbered, so that no column hides another one.
 */
public final class CsvWriter {
    /** Between the names of a path: unlike the dot of a column name, names do not contain it. */
    private static final char STEP = 0;

    private static final Pattern SEPARATOR_LINE = Pattern.compile("(?i)sep=.*", Pattern.DOTALL);

    private CsvWriter() {}

    public static String write(JsonNode list, char delimiter) {
        if (!list.isArray()) {
            throw PieceFailure.of("json_array: expected a list of objects, found another value");
        }
        if (list.isEmpty()) {
            return "";
        }
        var columns = new Columns();
        var rows = new ArrayList<Map<String, String>>(list.size());
        for (var item : list) {
            if (!item.isContainerNode()) {
                throw PieceFailure.of("json_array: expected a list of objects, found a list with another value");
            }
            var row = new LinkedHashMap<String, String>();
            columns.flatten(null, item, row);
            rows.add(row);
        }
        return write(
                columns.paths(),
                DistinctNames.of(columns.paths().stream()
                        .map(path -> path.replace(STEP, '.'))
                        .toList()),
                rows,
                delimiter);
    }

    /** Paths of all rows. Each is kept once, and all together are no longer than a header may be: names repeat in many paths. */
    private static final class Columns {
        private final Map<String, String> known = new LinkedHashMap<>();
        private long characters;

        List<String> paths() {
            return List.copyOf(known.keySet());
        }

        private String known(String path) {
            var earlier = known.get(path);
            if (earlier == null) {
                characters += 1 + path.length();
                BoundedText.check(characters);
                known.put(path, path);
            }
            return earlier == null ? path : earlier;
        }

        void flatten(String path, JsonNode value, Map<String, String> row) {
            if (value.isArray() && !value.isEmpty()) {
                for (var index = 0; index < value.size(); index++) {
                    flatten(joined(path, String.valueOf(index)), value.get(index), row);
                }
            } else if (value.isObject() && !value.isEmpty()) {
                for (var field : value.properties()) {
                    flatten(joined(path, field.getKey()), field.getValue(), row);
                }
            } else if (path != null) {
                row.put(known(path), value.isNull() || value.isContainerNode() ? "" : ScriptValues.text(value));
            }
        }
    }

    private static String joined(String path, String name) {
        return path == null ? name : path + STEP + name;
    }

    /** A column that a row lacks is empty. */
    public static String write(List<String> columns, List<Map<String, String>> rows, char delimiter) {
        return write(columns, columns, rows, delimiter);
    }

    private static String write(
            List<String> keys, List<String> header, List<Map<String, String>> rows, char delimiter) {
        BoundedText.check((long) keys.size() * rows.size());
        var table = new BoundedText();
        table.append(line(header, delimiter));
        for (var row : rows) {
            table.append(
                    line(keys.stream().map(key -> row.getOrDefault(key, "")).toList(), delimiter));
        }
        return table.toString();
    }

    /** A line of empty fields begins with quotes, because readers skip blank lines. */
    private static String line(List<String> fields, char delimiter) {
        var line = fields.stream().map(field -> quoted(field, delimiter)).collect(Collectors.joining("" + delimiter));
        var needsQuotes = !fields.isEmpty()
                && (fields.stream().allMatch(String::isEmpty)
                        || SEPARATOR_LINE.matcher(line).matches());
        return needsQuotes
                ? "\"" + fields.getFirst() + "\""
                        + line.substring(fields.getFirst().length()) + "\n"
                : line + "\n";
    }

    private static String quoted(String field, char delimiter) {
        var plain = field.chars()
                .noneMatch(character ->
                        character == delimiter || character == '"' || character == '\n' || character == '\r');
        return plain ? field : "\"" + field.replace("\"", "\"\"") + "\"";
    }
}
