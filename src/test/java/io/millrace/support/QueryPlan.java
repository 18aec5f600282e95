package io.millrace.support;

import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.row.Rows;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Generic query plan of PostgreSQL, made without parameter values, as the database caches it for a server. Only a
 * statement that was prepared by name has a generic plan; EXPLAIN with values would use them.
 */
public record QueryPlan(String text) {
    private static final Pattern IN_VAIN = Pattern.compile("Rows Removed by Filter: (\\d+)");

    /** Executes a statement with at least one value, and rolls it back. */
    public static QueryPlan of(Database database, String sql, Object... values) {
        var literals = Arrays.stream(values).map(QueryPlan::literal).collect(Collectors.joining(", "));
        var explained = "explain (costs off, analyze, timing off, summary off) execute explained (" + literals + ")";
        var lines = Waiting.await(database.inTransaction(tx -> tx.query(
                        "set local plan_cache_mode = force_generic_plan")
                .compose(_ -> tx.query("prepare explained as " + sql))
                .compose(_ -> tx.query("savepoint before"))
                .compose(_ -> tx.query(explained))
                .map(rows -> Rows.all(rows, row -> row.getString(0)))
                .compose(found -> tx.query("rollback to savepoint before").map(found))
                .compose(found -> tx.query("deallocate explained").map(found))));
        return new QueryPlan(String.join("\n", lines));
    }

    private static String literal(Object value) {
        return switch (value) {
            case Number number -> number.toString();
            case Object[] elements ->
                Arrays.stream(elements)
                        .map(QueryPlan::literal)
                        .collect(Collectors.joining(", ", "array[", "]::text[]"));
            default -> "'" + value.toString().replace("'", "''") + "'";
        };
    }

    /** Lower bound of the rows that were read and discarded by a condition, over all loops. */
    public int rowsReadInVain() {
        return IN_VAIN.matcher(text)
                .results()
                .mapToInt(match -> Integer.parseInt(match.group(1)))
                .sum();
    }
}
