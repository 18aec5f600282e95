package io.millrace.base.persistence;

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
    private final List<Part<S, ?>> parts;

    private UnnestStatement(String sql, List<Part<S, ?>> parts) {
        this.sql = sql;
        this.parts = List.copyOf(parts);
    }

    /** A statement with rows from one {@code unnest}. */
    public static <S> UnnestStatement<S> of(Part<S, ?> part) {
        return new UnnestStatement<>(part.sql(1), List.of(part));
    }

    /**
     * A statement of common table expressions, one for each part.
     *
     * @param last the statement behind them
     */
    public static <S> UnnestStatement<S> with(List<Part<S, ?>> parts, String last) {
        var names = new HashSet<String>();
        var expressions = new ArrayList<String>();
        var position = 1;
        for (var part : parts) {
            if (!names.add(part.name())) {
                throw new IllegalArgumentException("expected parts of different names, found two of " + part.name());
            }
            expressions.add(part.name() + " as (\n" + part.sql(position).strip() + "\n)");
            position += part.columns().size();
        }
        return new UnnestStatement<>(
                expressions.stream().collect(Collectors.joining(", ", "with ", "\n")) + last, parts);
    }

    /** The same statement with more text at its end. */
    public UnnestStatement<S> and(String text) {
        return new UnnestStatement<>(sql + text, parts);
    }

    public String sql() {
        return sql;
    }

    /** Parameters, at the positions that the composition assigned. */
    public Tuple values(S source) {
        var tuple = Tuple.tuple();
        for (var part : parts) {
            part.addTo(tuple, source);
        }
        return tuple;
    }

    /**
     * A part of a statement.
     *
     * @param name of its common table expression
     * @param columns columns of its rows; none when it has no rows of its own
     * @param rows reads its rows from the source
     * @param text SQL, with the alias of the rows in braces where they are read, for example {@code from {e}}
     */
    public record Part<S, T>(String name, UnnestColumns<T> columns, Function<S, List<T>> rows, String text) {
        public Part {
            var aliases = ROWS.matcher(text).results().count();
            var expected = columns.size() == 0 ? 0 : 1;
            if (aliases != expected) {
                throw new IllegalArgumentException(
                        "part " + name + ": expected " + expected + " alias of rows in braces, found " + aliases);
            }
        }

        /** A part without rows of its own: it reads those of other parts. */
        public static <S> Part<S, ?> plain(String name, String text) {
            return new Part<S, Object>(name, UnnestColumns.none(), _ -> List.of(), text);
        }

        private String sql(int first) {
            return ROWS.matcher(text).replaceAll(alias -> Matcher.quoteReplacement(columns.sql(first, alias.group(1))));
        }

        private void addTo(Tuple tuple, S source) {
            columns.addTo(tuple, rows.apply(source));
        }
    }
}
