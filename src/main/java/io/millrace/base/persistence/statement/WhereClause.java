package io.millrace.base.persistence.statement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The where clause of a list. Only filters that are set become conditions: the planner can then choose an index, which a
 * clause of "is null or" would hide, and keeps the plan of a statement instead of making one at every call (decision 0084).
 *
 * <p>A condition is a constant of a store, and {@code %s} or {@code %1$s} in it is the placeholder of its value.
 */
public final class WhereClause {
    private final StringBuilder sql;
    private final List<Object> values = new ArrayList<>();

    /** Continues a statement, or a part of one, that ends in its first condition. */
    public WhereClause(String first) {
        this.sql = new StringBuilder(first.strip());
    }

    public WhereClause and(String condition) {
        sql.append(" and ").append(condition);
        return this;
    }

    public WhereClause and(String condition, Object value) {
        values.add(value);
        return and(about(condition, "$" + values.size()));
    }

    public WhereClause and(String condition, Optional<?> value) {
        return value.isPresent() ? and(condition, value.get()) : this;
    }

    /**
     * Any of these values, with {@code %1$s} as the placeholder of the comparison; adds no condition when there are none. A
     * single value is compared by equality: only then can an index also provide the order.
     */
    public WhereClause andAny(String condition, List<String> wanted) {
        if (wanted.isEmpty()) {
            return this;
        }
        var isOne = wanted.size() == 1;
        values.add(isOne ? wanted.getFirst() : Values.texts(wanted));
        var value = "$" + values.size();
        return and(about(condition, isOne ? "= " + value : "= any (" + value + ")"));
    }

    private static String about(String condition, String value) {
        return condition.replace("%1$s", value).replace("%s", value);
    }

    /** Requires an array column to contain any of these values; adds no condition when there are none. */
    public WhereClause andOverlap(String column, List<String> wanted) {
        return wanted.isEmpty() ? this : and(column + " && %s", Values.texts(wanted));
    }

    public String sql() {
        return sql.toString();
    }

    public Object[] values() {
        return values.toArray();
    }
}
