package io.millrace.base.persistence.statement;

import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Typed columns of the rows that a statement reads from one {@code unnest}: each has a name, an array type and a value of a
 * row. Name, type, position and array of a column are stated once, so that they cannot differ in their order.
 *
 * @param <T> row
 */
public final class UnnestColumns<T> {
    private final List<Part<T>> parts;

    private UnnestColumns(List<Part<T>> parts) {
        this.parts = parts;
    }

    public static <T> UnnestColumns<T> none() {
        return new UnnestColumns<>(List.of());
    }

    public UnnestColumns<T> text(String name, Function<T, String> value) {
        return and(new Column<>(name, "text", String[]::new, value));
    }

    public UnnestColumns<T> instant(String name, Function<T, Instant> value) {
        return and(new Column<>(name, "timestamptz", OffsetDateTime[]::new, value.andThen(Values::timestamp)));
    }

    public UnnestColumns<T> flag(String name, Function<T, Boolean> value) {
        return and(new Column<>(name, "boolean", Boolean[]::new, value));
    }

    public UnnestColumns<T> integer(String name, Function<T, Integer> value) {
        return and(new Column<>(name, "integer", Integer[]::new, value));
    }

    public UnnestColumns<T> whole(String name, Function<T, Long> value) {
        return and(new Column<>(name, "bigint", Long[]::new, value));
    }

    public UnnestColumns<T> bytes(String name, Function<T, Buffer> value) {
        return and(new Column<>(name, "bytea", Buffer[]::new, value));
    }

    /** Adds the columns of a value of each row. */
    public <V> UnnestColumns<T> all(UnnestColumns<V> others, Function<T, V> value) {
        return and(new Embedded<>(others, value));
    }

    int size() {
        return (int) columns().count();
    }

    /**
     * The SQL of the rows.
     *
     * @param first position of the first parameter
     * @param alias name of the rows in the statement
     */
    String sql(int first, String alias) {
        var types = columns().map(Column::type).toList();
        var arrays = IntStream.range(0, types.size())
                .mapToObj(index -> "$" + (first + index) + "::" + types.get(index) + "[]")
                .collect(Collectors.joining(", "));
        var names = columns().map(Column::name).collect(Collectors.joining(", "));
        return "unnest(" + arrays + ") as " + alias + " (" + names + ")";
    }

    /** The SQL of a single row: a parameter for each column, without the cost of a function scan. */
    String rowSql(int first, String alias) {
        var columns = columns().toList();
        return IntStream.range(0, columns.size())
                .mapToObj(index ->
                        "$" + (first + index) + "::" + columns.get(index).type() + " as "
                                + columns.get(index).name())
                .collect(Collectors.joining(", ", "(select ", ") as " + alias));
    }

    /** Adds the values of one row in the order of {@link #rowSql}. */
    void addRowTo(Tuple tuple, T row) {
        for (var part : parts) {
            part.addRowTo(tuple, row);
        }
    }

    /** Adds the arrays in the order of {@link #sql}. */
    void addTo(Tuple tuple, List<T> rows) {
        for (var part : parts) {
            part.addTo(tuple, rows);
        }
    }

    private Stream<Column<?, ?>> columns() {
        return parts.stream().flatMap(Part::columns);
    }

    private UnnestColumns<T> and(Part<T> more) {
        return new UnnestColumns<>(
                Stream.concat(parts.stream(), Stream.of(more)).toList());
    }

    private sealed interface Part<T> {
        Stream<Column<?, ?>> columns();

        void addTo(Tuple tuple, List<T> rows);

        void addRowTo(Tuple tuple, T row);
    }

    /** @param array of elements as the client takes them */
    private record Column<T, V>(String name, String type, IntFunction<V[]> array, Function<T, V> value)
            implements Part<T> {
        @Override
        public Stream<Column<?, ?>> columns() {
            return Stream.of(this);
        }

        @Override
        public void addTo(Tuple tuple, List<T> rows) {
            tuple.addValue(Values.filled(array.apply(rows.size()), rows, value));
        }

        @Override
        public void addRowTo(Tuple tuple, T row) {
            tuple.addValue(value.apply(row));
        }
    }

    private record Embedded<T, V>(UnnestColumns<V> others, Function<T, V> value) implements Part<T> {
        @Override
        public Stream<Column<?, ?>> columns() {
            return others.columns();
        }

        @Override
        public void addTo(Tuple tuple, List<T> rows) {
            others.addTo(tuple, rows.stream().map(value).toList());
        }

        @Override
        public void addRowTo(Tuple tuple, T row) {
            others.addRowTo(tuple, value.apply(row));
        }
    }
}
