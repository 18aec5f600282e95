package io.millrace.authoring.table;

import io.millrace.authoring.table.cell.ComparableValue;
import io.millrace.authoring.table.cell.FieldType;
import io.millrace.authoring.table.cell.RecordFilter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A filter as SQL: condition on a cell, with the value to compare with. SQL texts are constants; only parameter numbers
 * are inserted.
 *
 * @param sql {@code %1$d} is the field's parameter, {@code %2$d} for the value's
 * @param value null when the statement compares with nothing
 */
record CellCondition(String fieldId, String sql, Object value) {
    private static final String CELL = """
             (select from table_cell c
                   where c.record_id = r.id and c.field_id = $%1$d\
            """;

    /** Finds the cells first, by their index, because most filters test equality. */
    private static final String EQUAL = """

               and r.id = any (array(select c.record_id from table_cell c
                   where c.field_id = $%1$d and left(c.value, 100) = left($%2$d::text, 100) and c.value = $%2$d::text))\
            """;

    private static final String HAS = "\n   and exists" + CELL;
    private static final String LACKS = "\n   and not exists" + CELL;
    private static final String NEVER = "\n   and $%1$d::text is null";

    /** A malformed operand matches no value in an order comparison. */
    static CellCondition of(RecordFilter filter, FieldType type) {
        var value = filter.value();
        return switch (filter.operator()) {
            case EQ -> new CellCondition(filter.fieldId(), EQUAL, value);
            case NEQ -> new CellCondition(filter.fieldId(), HAS + " and c.value <> $%2$d::text)", value);
            case CO -> new CellCondition(filter.fieldId(), HAS + " and strpos(c.value, $%2$d::text) > 0)", value);
            case EXISTS -> new CellCondition(filter.fieldId(), HAS + " and c.value <> '')", null);
            case NOT_EXISTS -> new CellCondition(filter.fieldId(), LACKS + " and c.value <> '')", null);
            case GT -> compared(filter, type, ">");
            case GTE -> compared(filter, type, ">=");
            case LT -> compared(filter, type, "<");
            case LTE -> compared(filter, type, "<=");
        };
    }

    private static CellCondition compared(RecordFilter filter, FieldType type, String sign) {
        if (type.isInstant()) {
            Optional<Instant> instant = ComparableValue.instant(filter.value());
            return compared(filter, HAS + " and c.instant " + sign + " $%2$d::timestamptz)", instant);
        }
        return compared(
                filter,
                HAS + " and c.number " + sign + " $%2$d::double precision)",
                ComparableValue.number(filter.value()));
    }

    private static CellCondition compared(RecordFilter filter, String sql, Optional<?> value) {
        return value.<CellCondition>map(compared -> new CellCondition(filter.fieldId(), sql, compared))
                .orElseGet(() -> new CellCondition(filter.fieldId(), NEVER, null));
    }

    record Clause(String sql, List<Object> values) {
        /** @param values of the parameters that the clause has already */
        static Clause of(String where, List<CellCondition> conditions, Object... values) {
            var sql = new StringBuilder(where);
            var all = new ArrayList<>(List.of(values));
            for (var condition : conditions) {
                all.add(condition.fieldId());
                var field = all.size();
                if (condition.value() != null) {
                    all.add(condition.value());
                }
                sql.append(condition.sql().formatted(field, all.size()));
            }
            return new Clause(sql.toString(), all);
        }
    }
}
