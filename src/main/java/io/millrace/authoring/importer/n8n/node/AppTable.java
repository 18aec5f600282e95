package io.millrace.authoring.importer.n8n.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The requests of operations of application nodes, from the resource {@code apps.txt}. */
final class AppTable {
    private static final String RESOURCE = "/io/millrace/authoring/importer/n8n/apps.txt";
    private static final int COLUMNS = 7;
    private static final Map<String, Row> ROWS = read();

    private AppTable() {}

    /**
     * Field of a request.
     *
     * @param isQuery true for a parameter of the address
     * @param value text, or reference to parameters
     */
    record Field(String name, boolean isQuery, String value) {}

    record Row(String method, String url, List<Field> fields, String items) {}

    static Optional<Row> row(String kind, String resource, String operation) {
        return Optional.ofNullable(ROWS.get(kind + "|" + resource + "|" + operation));
    }

    /** Keys of all rows, for the documentation. */
    static List<String> keys() {
        return ROWS.keySet().stream().sorted().toList();
    }

    private static Map<String, Row> read() {
        try (var file = AppTable.class.getResourceAsStream(RESOURCE)) {
            if (file == null) {
                throw new IllegalStateException("the resource " + RESOURCE + " is missing");
            }
            var rows = new HashMap<String, Row>();
            new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> add(rows, line));
            return Map.copyOf(rows);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static void add(Map<String, Row> rows, String line) {
        var columns = line.split("\\|", -1);
        if (columns.length != COLUMNS) {
            throw new IllegalStateException("expected " + COLUMNS + " columns, found " + columns.length + ": " + line);
        }
        var fields = new ArrayList<Field>();
        for (var text : columns[5].split(" ; ")) {
            if (!text.isBlank()) {
                var at = text.indexOf('=');
                var name = text.substring(0, at).strip();
                var isQuery = name.startsWith("?");
                fields.add(new Field(
                        isQuery ? name.substring(1) : name,
                        isQuery,
                        text.substring(at + 1).strip()));
            }
        }
        var row = new Row(columns[3].strip(), columns[4].strip(), List.copyOf(fields), columns[6].strip());
        for (var operation : columns[2].strip().split(",")) {
            rows.put(columns[0].strip() + "|" + columns[1].strip() + "|" + operation, row);
        }
    }
}
