package io.millrace.base.persistence.statement;

import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A statement that is composed of parts with rows of their own. The composition assigns the positions of parameters; its
 * text is made once.
 *
 * @param <S> source of the rows, for example a batch of writes
 */
public final class UnnestStatement<S> {
    /** Alias of the rows of a part; the literal of an empty array, {@code '{}'}, is none. */
    private static final Pattern ROWS = Pattern.compile("\\{(\\w+)}");

    private final String sql;
    private final List<Part<S>> parts;

    private UnnestStatement(String sql, List<Part<S>> parts) {
        this.sql = sql;
        this.parts = List.copyOf(parts);
    }

    public static <S> UnnestStatement<S> of(Part<S> part) {
        return new UnnestStatement<>(part.sql(1), List.of(part));
    }

    /**
     * A statement of common table expressions, one for each part.
     *
     * @param last the statement that follows them
     */
    public static <S> UnnestStatement<S> with(List<Part<S>> parts, String last) {
        var names = new HashSet<String>();
        var expressions = new ArrayList<String>();
        var position = 1;
        for (var part : parts) {
            if (!names.add(part.name())) {
                throw new IllegalArgumentException("expected parts of different names, found two of " + part.name());
            }
            expressions.add(part.name() + " as (\n" + part.sql(position).strip() + "\n)");
            position += part.size();
        }
        return new UnnestStatement<>(
                expressions.stream().collect(Collectors.joining(", ", "with ", "\n")) + last, parts);
    }

    public UnnestStatement<S> and(String text) {
        return new UnnestStatement<>(sql + text, parts);
    }

    public String sql() {
        return sql;
    }

    public Tuple values(S source) {
        var tuple = Tuple.tuple();
        for (var part : parts) {
            part.addTo(tuple, source);
        }
        return tuple;
    }

    /**
     * Rows that a part reads, as parameters of the statement.
     *
     * @param <S> type of the source
     */
    public sealed interface Source<S> {
        /** Many rows, as an array for each column. */
        static <S, T> Source<S> many(UnnestColumns<T> columns, Function<S, List<T>> rows) {
            return new Many<>(columns, rows);
        }

        /** One row, as a value for each column: it needs no function scan. */
        static <S, T> Source<S> one(UnnestColumns<T> columns, Function<S, T> row) {
            return new One<>(columns, row);
        }

        /** Number of parameters. */
        int size();

        /** The rows in a {@code from} clause, under a name of their own. */
        String sql(int first, String alias);

        void addTo(Tuple tuple, S source);
    }

    private record Many<S, T>(UnnestColumns<T> columns, Function<S, List<T>> rows) implements Source<S> {
        @Override
        public int size() {
            return columns.size();
        }

        @Override
        public String sql(int first, String alias) {
            return columns.sql(first, alias);
        }

        @Override
        public void addTo(Tuple tuple, S source) {
            columns.addTo(tuple, rows.apply(source));
        }
    }

    private record One<S, T>(UnnestColumns<T> columns, Function<S, T> row) implements Source<S> {
        @Override
        public int size() {
            return columns.size();
        }

        @Override
        public String sql(int first, String alias) {
            return columns.rowSql(first, alias);
        }

        @Override
        public void addTo(Tuple tuple, S source) {
            columns.addRowTo(tuple, row.apply(source));
        }
    }

    /**
     * A part of a statement.
     *
     * @param name of its common table expression
     * @param rows reads the rows of the source
     * @param text SQL, with an alias in braces for each of the rows, in their order, for example {@code from {e}}
     */
    public record Part<S>(String name, List<Source<S>> rows, String text) {
        public Part {
            var aliases = ROWS.matcher(text).results().count();
            if (aliases != rows.size()) {
                throw new IllegalArgumentException(
                        "part " + name + ": aliases of rows in braces: expected " + rows.size() + ", found " + aliases);
            }
        }

        /** A part without rows of its own: it reads those of other parts. */
        public static <S> Part<S> plain(String name, String text) {
            return new Part<>(name, List.of(), text);
        }

        public static <S, T> Part<S> of(String name, UnnestColumns<T> columns, Function<S, List<T>> rows, String text) {
            return new Part<>(name, List.of(Source.many(columns, rows)), text);
        }

        private int size() {
            return rows.stream().mapToInt(Source::size).sum();
        }

        private String sql(int first) {
            var matcher = ROWS.matcher(text);
            var sql = new StringBuilder();
            var position = first;
            for (var read : rows) {
                matcher.find();
                matcher.appendReplacement(sql, Matcher.quoteReplacement(read.sql(position, matcher.group(1))));
                position += read.size();
            }
            return matcher.appendTail(sql).toString();
        }

        private void addTo(Tuple tuple, S source) {
            for (var read : rows) {
                read.addTo(tuple, source);
            }
        }
    }
}
