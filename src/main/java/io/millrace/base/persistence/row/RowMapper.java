package io.millrace.base.persistence.row;

import io.millrace.base.core.CutText;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads rows into records, component by component: {@code createdBy} is the column {@code created_by}.
 *
 * <p>A component is a text, a boolean, a number, an {@link java.time.Instant}, a constant by its name, bytes, a list of texts
 * or constants, or JSON (select jsonb as {@code column::text as column}). It may be null if it is
 * {@link io.millrace.base.core.Nullable} or an {@link Optional}. A record in a record has columns with the name of its
 * component in front, {@code failedStep} for example {@code failed_step_name}, unless it is {@link Unprefixed}; all of them
 * null mean that it is absent.
 *
 * <p>The columns of a result are compared with the components once for each description of a row, also when there is no row. A
 * column that is missing, surplus or of another type is a defect. {@code MappedStatementsIT} compares the statements of all
 * mappers that are constants with the migrated schema, so that a defect is found before a release (decision 0416).
 *
 * @param <T> result for a row
 */
public final class RowMapper<T> {
    private static final int STATEMENT_CHARS_MAX = 120;

    private final Source source;
    private final Function<Object, T> result;

    private RowMapper(Source source, Function<Object, T> result) {
        this.source = source;
        this.result = result;
    }

    /**
     * A mapper of a record.
     *
     * @param statements statements whose rows it reads, one for each list of columns: a condition or an order after
     *     them makes no difference
     */
    public static <R extends Record> RowMapper<R> of(Class<R> type, String... statements) {
        if (statements.length == 0) {
            throw new IllegalArgumentException(
                    "record " + type.getSimpleName() + ": expected the statements whose rows it reads, found none");
        }
        return new RowMapper<>(new Source(type, List.of(statements)), type::cast);
    }

    public <U> RowMapper<U> as(Function<? super T, U> more) {
        return new RowMapper<>(source, row -> more.apply(result.apply(row)));
    }

    public List<T> all(RowSet<Row> rows) {
        var indexes = source.indexes(rows);
        var all = new ArrayList<T>(rows.size());
        for (var row : rows) {
            all.add(result.apply(source.shape().read(row, indexes)));
        }
        return all;
    }

    public Optional<T> first(RowSet<Row> rows) {
        var indexes = source.indexes(rows);
        return Rows.first(rows, row -> result.apply(source.shape().read(row, indexes)));
    }

    public T only(RowSet<Row> rows) {
        return first(rows).orElseThrow(() -> new IllegalStateException(source.name() + ": expected a row, found none"));
    }

    /** Fails when the columns of a result are not those of the record. */
    void check(RowSet<Row> rows) {
        source.indexes(rows);
    }

    List<String> statements() {
        return source.statements;
    }

    /** The record and its statements; shared by all mappers that were made of one. */
    private static final class Source {
        private final Class<?> type;
        private final List<String> statements;

        /** Made on first use, because the start of the server does not need most of them. */
        private volatile RecordColumns shape;

        /** Columns of the last result: nearly always those of the next one. */
        private volatile Bound last;

        private static final class Bound {
            private final List<String> names;
            private final int[] indexes;

            Bound(List<String> names, int[] indexes) {
                this.names = names;
                this.indexes = indexes;
            }
        }

        Source(Class<?> type, List<String> statements) {
            this.type = type;
            this.statements = statements;
        }

        RecordColumns shape() {
            var made = shape;
            if (made == null) {
                made = RecordColumns.of(type);
                shape = made;
            }
            return made;
        }

        int[] indexes(RowSet<Row> rows) {
            var names = rows.columnsNames();
            var known = last;
            if (known != null && known.names.equals(names)) {
                return known.indexes;
            }
            var bound = new Bound(names, bound(rows));
            last = bound;
            return bound.indexes;
        }

        private int[] bound(RowSet<Row> rows) {
            var left = new HashMap<String, Integer>();
            var found = rows.columnDescriptors();
            for (var index = 0; found != null && index < found.size(); index++) {
                if (left.put(found.get(index).name(), index) != null) {
                    throw new IllegalStateException(
                            name() + ": expected one column " + found.get(index).name() + ", found two");
                }
            }
            var indexes = shape().columns().stream().mapToInt(column -> {
                var index = left.remove(column.name());
                if (index == null) {
                    throw new IllegalStateException(name() + ": " + RecordColumns.named(column) + " is missing");
                }
                var descriptor = found.get(index);
                if (!column.type().accepts(descriptor)) {
                    throw new IllegalStateException(name() + ": " + RecordColumns.named(column) + ": expected one of "
                            + column.type().names().stream().sorted().toList() + ", found " + descriptor.typeName());
                }
                return index;
            });
            var all = indexes.toArray();
            if (!left.isEmpty()) {
                throw new IllegalStateException(name() + ": expected no column "
                        + String.join(", ", left.keySet().stream().sorted().toList()) + ", which no component reads");
            }
            return all;
        }

        String name() {
            var statement = statements.getFirst().strip().replaceAll("\\s+", " ");
            return "record " + type.getSimpleName() + " of \"" + CutText.of(statement, STATEMENT_CHARS_MAX) + "\"";
        }
    }
}
