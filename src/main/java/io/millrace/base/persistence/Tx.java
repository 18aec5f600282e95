package io.millrace.base.persistence;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlConnection;
import io.vertx.sqlclient.Tuple;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One connection for the duration of one unit of work, on which a store runs its statements.
 *
 * <p>Conventions for stores. Parameters: text, numbers, booleans and arrays are passed unchanged; an Instant becomes a
 * timestamptz (cut to microseconds), a byte[] a bytea, an enum constant its name, an empty Optional null. A JsonNode is
 * passed unchanged to a jsonb parameter, without any cast. Rows are read by a {@link RowMapper}, one or two
 * columns with {@link Rows}; jsonb is selected as
 * {@code column::text as column}, because the client would otherwise build and discard a tree of its own types. For many rows
 * at once pass columns made by {@link Values} to {@code unnest($1::text[], …)}; there JSON travels as text and is cast,
 * {@code value::jsonb}.
 *
 * <p>Statements are prepared and cached by their text: keep texts constant. Several may be sent without waiting for each
 * other; they are executed in order.
 */
public final class Tx {
    private final SqlConnection connection;
    private final Repetition repetition;

    /** Performs a statement, possibly more than once. */
    @FunctionalInterface
    interface Repetition {
        Future<RowSet<Row>> of(String sql, Supplier<Future<RowSet<Row>>> statement);
    }

    Tx(SqlConnection connection, Repetition repetition) {
        this.connection = connection;
        this.repetition = repetition;
    }

    public Future<RowSet<Row>> query(String sql, Object... values) {
        return query(sql, Values.tuple(values));
    }

    public Future<RowSet<Row>> query(String sql, Tuple values) {
        return repetition.of(sql, () -> connection.preparedQuery(sql).execute(values));
    }

    /** Runs a statement once for each tuple, in order, in one round trip. An UNNEST is faster where it is possible. */
    public Future<RowSet<Row>> batch(String sql, List<Tuple> values) {
        return values.isEmpty()
                ? Future.failedFuture(new IllegalArgumentException("expected a batch of at least one tuple"))
                : repetition.of(sql, () -> connection.preparedQuery(sql).executeBatch(values));
    }

    /**
     * Waits until no other transaction holds the same key, and holds it until this one ends. For a decision about rows that do
     * not exist yet, such as a count before an insert: a later statement sees what the transactions before have committed.
     */
    public Future<Void> exclusive(String key) {
        return query("select pg_advisory_xact_lock(hashtextextended($1, 0))", key)
                .mapEmpty();
    }

    /**
     * Reads one page of a list.
     *
     * @param select statement that ends in its where clause
     * @param key place of a row in the list
     */
    public <T> Future<Page<T>> page(
            String select,
            Paging paging,
            PageRequest ask,
            Function<Row, T> read,
            Function<T, PageKey> key,
            Object... values) {
        var statement = paging.statement(select, ask, Values.tuple(values));
        return query(statement.sql(), statement.values()).map(rows -> Page.of(Rows.all(rows, read), ask, key));
    }

    public <T> Future<Page<T>> page(
            String select,
            Paging paging,
            PageRequest ask,
            RowMapper<T> read,
            Function<T, PageKey> key,
            Object... values) {
        var statement = paging.statement(select, ask, Values.tuple(values));
        return query(statement.sql(), statement.values()).map(rows -> Page.of(read.all(rows), ask, key));
    }
}
