package io.millrace.base.persistence.row;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the columns of a row as values of the domain. A column that is absent, null without permission, or of another type is
 * a defect of the statement; the message names the column.
 */
public final class Rows {
    private Rows() {}

    public static <T> List<T> all(RowSet<Row> rows, Function<Row, T> read) {
        var all = new ArrayList<T>(rows.size());
        for (var row : rows) {
            all.add(read.apply(row));
        }
        return all;
    }

    public static <T> Optional<T> first(RowSet<Row> rows, Function<Row, T> read) {
        if (rows.size() > 1) {
            throw new IllegalStateException("expected one row at most, found " + rows.size());
        }
        var iterator = rows.iterator();
        return iterator.hasNext() ? Optional.of(read.apply(iterator.next())) : Optional.empty();
    }

    public static String text(Row row, String column) {
        return required(row, column, Row::getString);
    }

    public static Optional<String> optionalText(Row row, String column) {
        return optional(row, column, Row::getString);
    }

    public static <E extends Enum<E>> E option(Row row, String column, Class<E> type) {
        return Enum.valueOf(type, text(row, column));
    }

    public static boolean flag(Row row, String column) {
        return required(row, column, Row::getBoolean);
    }

    public static Optional<Boolean> optionalFlag(Row row, String column) {
        return optional(row, column, Row::getBoolean);
    }

    public static int integer(Row row, String column) {
        return required(row, column, Row::getInteger);
    }

    public static long whole(Row row, String column) {
        return required(row, column, Row::getLong);
    }

    public static Instant instant(Row row, String column) {
        return required(row, column, Rows::instantOrNull);
    }

    public static Optional<Instant> optionalInstant(Row row, String column) {
        return optional(row, column, Rows::instantOrNull);
    }

    public static byte[] bytes(Row row, String column) {
        return required(row, column, Rows::bytesOrNull);
    }

    /** A bytea column without a copy. */
    public static Buffer buffer(Row row, String column) {
        return required(row, column, Row::getBuffer);
    }

    public static Optional<Buffer> optionalBuffer(Row row, String column) {
        return optional(row, column, Row::getBuffer);
    }

    /** A jsonb column that the statement selected as text ({@code column::text as column}). */
    public static JsonNode json(Row row, String column) {
        return Json.trusted(text(row, column));
    }

    private static Instant instantOrNull(Row row, int index) {
        var value = row.getOffsetDateTime(index);
        return value == null ? null : value.toInstant();
    }

    private static byte[] bytesOrNull(Row row, int index) {
        var value = row.getBuffer(index);
        return value == null ? null : value.getBytes();
    }

    /** Reads a value by its index: by name, the client searches all columns at each call. */
    @FunctionalInterface
    private interface Column<T> {
        T read(Row row, int index);
    }

    private static <T> T required(Row row, String column, Column<T> read) {
        var value = valueOrNull(row, column, read);
        if (value == null) {
            throw new IllegalStateException("expected a value in column " + column + ", found null");
        }
        return value;
    }

    private static <T> Optional<T> optional(Row row, String column, Column<T> read) {
        return Optional.ofNullable(valueOrNull(row, column, read));
    }

    /** The client answers null for a value of another type too, which would hide a mistake in a statement. */
    private static <T> T valueOrNull(Row row, String column, Column<T> read) {
        var index = row.getColumnIndex(column);
        if (index < 0) {
            throw new IllegalStateException("expected a column " + column + ", found none of that name");
        }
        var raw = row.getValue(index);
        if (raw == null) {
            return null;
        }
        try {
            var value = read.read(row, index);
            if (value != null) {
                return value;
            }
        } catch (ClassCastException mismatch) {
            throw new IllegalStateException(mismatchText(column, raw), mismatch);
        }
        throw new IllegalStateException(mismatchText(column, raw));
    }

    private static String mismatchText(String column, Object raw) {
        return "column " + column + " holds a " + raw.getClass().getSimpleName()
                + ", which is not the requested type (select jsonb as column::text)";
    }
}
