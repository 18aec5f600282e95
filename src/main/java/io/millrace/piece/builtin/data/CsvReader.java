package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.DistinctNames;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.BoundedList;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/** A table in text as the list of its rows: lists of texts, or objects by the names in the first row. */
public final class CsvReader {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private static final ObjectReader READER = new CsvMapper()
            .readerFor(String[].class)
            .with(CsvParser.Feature.WRAP_AS_ARRAY)
            .with(CsvParser.Feature.SKIP_EMPTY_LINES);

    public static final char DETECTED = 0;

    /** Separators that are detected, the most common first. */
    private static final List<Character> SEPARATORS = List.of(',', ';', '\t', '|');

    private static final Pattern SEPARATOR_LINE = Pattern.compile("(?i)^sep=([^\\r\\n])(?:\\r\\n|\\r|\\n|$)");
    private static final int SAMPLE_CHARACTERS = 1 << 18;
    private static final int SAMPLE_RECORDS = 50;

    private CsvReader() {}

    /**
     * Reads a table by the rules of the console's import: a first line {@code sep=;} is not a row.
     *
     * @param delimiter separator of the fields, or {@link #DETECTED}
     */
    public static ArrayNode read(String text, boolean hasHeader, char delimiter) {
        var whole = text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        var line = SEPARATOR_LINE.matcher(whole);
        var isNamed = line.lookingAt();
        var table = isNamed ? whole.substring(line.end()) : whole;
        var separator =
                delimiter != DETECTED ? delimiter : isNamed ? line.group(1).charAt(0) : detected(table);
        var schema = CsvSchema.emptySchema().withColumnSeparator(separator);
        try (var rows = READER.with(schema).<String[]>readValues(new StringReader(table))) {
            var list = Json.array();
            var header = hasHeader && rows.hasNextValue() ? DistinctNames.of(List.of(rows.nextValue())) : null;
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
            throw PieceFailure.of("csv_text: expected a table of fields, found text that is none in line "
                    + malformed.getLocation().getLineNr());
        } catch (IOException impossible) {
            throw new UncheckedIOException("a text can be read", impossible);
        }
    }

    /**
     * Separator that divides most of the first records into equal numbers of fields; among several, one that is not punctuation; a
     * comma if there is none.
     */
    private static char detected(String table) {
        var sample = table.substring(0, Math.min(table.length(), SAMPLE_CHARACTERS));
        var best = new Division(',', 0, true, 1);
        for (var separator : SEPARATORS) {
            var widths = widths(sample, separator);
            var columns = widths.isEmpty() ? 1 : widths.getFirst();
            var equal = widths.stream().filter(Integer.valueOf(columns)::equals).count();
            var found = new Division(separator, equal, isPunctuation(sample, separator), columns);
            if (columns > 1 && Division.BETTER.compare(found, best) > 0) {
                best = found;
            }
        }
        return best.separator();
    }

    /** Division of the first records by a separator; of two, the one with more equal records is better. */
    private record Division(char separator, long equal, boolean isPunctuation, int columns) {
        static final Comparator<Division> BETTER = Comparator.comparingLong(Division::equal)
                .thenComparing(Division::isPunctuation, Comparator.reverseOrder())
                .thenComparingInt(Division::columns);
    }

    /** Returns true if a space follows each occurrence, as in "Last, first". */
    private static boolean isPunctuation(String sample, char separator) {
        for (var at = sample.indexOf(separator); at >= 0; at = sample.indexOf(separator, at + 1)) {
            if (at + 1 == sample.length() || sample.charAt(at + 1) != ' ') {
                return false;
            }
        }
        return true;
    }

    private static List<Integer> widths(String sample, char separator) {
        var widths = new ArrayList<Integer>();
        var schema = CsvSchema.emptySchema().withColumnSeparator(separator);
        try (var rows = READER.with(schema).<String[]>readValues(new StringReader(sample))) {
            while (widths.size() < SAMPLE_RECORDS && rows.hasNextValue()) {
                widths.add(rows.nextValue().length);
            }
        } catch (IOException malformed) {
            // The text is malformed with this separator; the records counted so far decide.
            return widths;
        }
        return widths;
    }

    private static void addList(ArrayNode list, String[] row) {
        var fields = list.addArray();
        for (var field : row) {
            fields.add(field);
        }
    }

    /** A row may lack its last fields; surplus fields would be lost and are rejected. */
    private static void addObject(ArrayNode list, List<String> header, String[] row) {
        if (row.length > header.size()) {
            throw PieceFailure.of("csv_text: expected at most " + header.size() + " fields, as the header has, found "
                    + row.length + " in row " + (list.size() + 1));
        }
        var object = list.addObject();
        for (var i = 0; i < row.length; i++) {
            object.put(header.get(i), row[i]);
        }
    }
}
