package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BoundedList;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/** A table in text as the list of its rows: lists of texts, or objects by the names in the first row. */
public final class CsvReader {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final ObjectReader READER = new CsvMapper()
            .readerFor(String[].class)
            .with(CsvParser.Feature.WRAP_AS_ARRAY)
            .with(CsvParser.Feature.SKIP_EMPTY_LINES);

    private CsvReader() {}

    public static ArrayNode read(String text, boolean hasHeader, char delimiter) {
        var table = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        var schema = CsvSchema.emptySchema().withColumnSeparator(delimiter);
        try (var rows = READER.with(schema).<String[]>readValues(new StringReader(table))) {
            var list = Json.array();
            var header = hasHeader && rows.hasNextValue() ? distinct(rows.nextValue()) : null;
            var values = 0L;
            while (rows.hasNextValue()) {
                var row = rows.nextValue();
                values += 1 + row.length;
                BoundedList.check(values);
                if (hasHeader) {
                    addObject(list, header, row);
                } else {
                    addList(list, row);
                }
            }
            return list;
        } catch (JsonProcessingException malformed) {
            throw PieceFailure.of("Expected a table of fields, found text that is none in line "
                    + malformed.getLocation().getLineNr());
        } catch (IOException impossible) {
            throw new UncheckedIOException("a text can be read", impossible);
        }
    }

    /** Names of columns; a repeated one is numbered, so that no column is lost. */
    private static String[] distinct(String[] header) {
        var taken = new HashSet<>(List.of(header));
        var numbers = new HashMap<String, Integer>();
        for (var i = 0; i < header.length; i++) {
            var name = header[i];
            var number = numbers.merge(name, 1, Integer::sum);
            if (number > 1) {
                while (!taken.add(name + "_" + number)) {
                    number++;
                }
                numbers.put(name, number);
                header[i] = name + "_" + number;
            }
        }
        return header;
    }

    private static void addList(ArrayNode list, String[] row) {
        var fields = list.addArray();
        for (var field : row) {
            fields.add(field);
        }
    }

    /** A row may lack its last fields; more fields than names would be lost and are refused. */
    private static void addObject(ArrayNode list, String[] header, String[] row) {
        if (row.length > header.length) {
            throw PieceFailure.of("Expected at most " + header.length + " fields, as the header has, found "
                    + row.length + " in row " + (list.size() + 1));
        }
        var object = list.addObject();
        for (var i = 0; i < row.length; i++) {
            object.put(header[i], row[i]);
        }
    }
}
