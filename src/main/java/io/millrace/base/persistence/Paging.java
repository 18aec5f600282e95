package io.millrace.base.persistence;

import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.statement.Values;
import io.vertx.sqlclient.Tuple;

/**
 * The order of a list, and the condition that continues it after a row: by creation and, among equals, by id. The names
 * of the columns are constants of a store; everything else is a bound value.
 *
 * @param created column of the creation time
 * @param id column of the identifier
 * @param isDescending true if the newest row is first
 */
public record Paging(String created, String id, boolean isDescending) {
    record Statement(String sql, Tuple values) {}

    public static Paging newestFirst() {
        return new Paging("created", "id", true);
    }

    public static Paging oldestFirst() {
        return new Paging("created", "id", false);
    }

    public Paging on(String otherCreated, String otherId) {
        return new Paging(otherCreated, otherId, isDescending);
    }

    /**
     * Completes a statement that ends in its where clause. It asks for one row more than the page has, and for a page
     * before the key in reverse, as {@link io.millrace.base.core.input.Page#of} expects. The number of rows is part of the
     * text: for a bound limit PostgreSQL estimates so many rows that it plans the statement again at every call
     * (decision 0084).
     */
    Statement statement(String select, PageRequest ask, Tuple values) {
        var sql = new StringBuilder(select.strip());
        var goesDown = isDescending != ask.backwards();
        if (ask.key() != null) {
            sql.append("\nand (" + created + ", " + id + ") " + (goesDown ? "<" : ">"))
                    .append(" ($" + (values.size() + 1) + ", $" + (values.size() + 2) + ")");
            values.addValue(Values.tuple(ask.key().created()).getValue(0))
                    .addValue(ask.key().id());
        }
        var direction = goesDown ? "desc" : "asc";
        sql.append("\norder by " + created + " " + direction + ", " + id + " " + direction)
                .append(" limit " + (ask.limit() + 1));
        return new Statement(sql.toString(), values);
    }
}
