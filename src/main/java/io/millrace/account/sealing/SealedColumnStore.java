package io.millrace.account.sealing;

import io.millrace.account.sealing.SealedColumn.KeyUse;
import io.millrace.account.sealing.SealedColumn.SealedCell;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;

/** Columns of sealed values of all modules. A value begins with its format and the id of its key. */
final class SealedColumnStore {
    /** Number of values locked per batch; concurrent changes of them wait. */
    static final int BATCH = 200;

    private static final String COLUMNS = """
            select table_name::text as table, column_name::text as column
              from information_schema.columns
             where table_schema = current_schema() and data_type = 'bytea' and column_name like 'sealed\\_%'
             order by table_name, column_name
            """;

    private static final RowMapper<SealedColumn> SEALED_COLUMNS = RowMapper.of(SealedColumn.class, COLUMNS);

    /** A column with which the statements for any column are compared with the schema. */
    private static final SealedColumn EXAMPLE = new SealedColumn("variable", "sealed_value");

    private static final String KEY_USES = """
            select case when get_byte(%2$s, 0) = 2 then encode(substring(%2$s from 2 for 4), 'hex') else 'none' end as key_id,
                   count(*) as count,
                   (array_agg(coalesce(to_jsonb(t) - '%2$s' ->> 'id', t.ctid::text)))[1:5] as examples
              from %1$s t
             where %2$s is not null
             group by 1
             order by 1
            """;

    private static final RowMapper<KeyRow> KEYS = RowMapper.of(KeyRow.class, statement(KEY_USES, EXAMPLE));

    private static final String NEXT = """
            select ctid::text as place, %2$s as sealed
              from %1$s
             where ctid > $1::text::tid and substring(%2$s from 2 for 4) <> decode($2, 'hex')
             order by ctid
             limit $3
               for update skip locked
            """;

    private static final RowMapper<SealedCell> CELLS = RowMapper.of(SealedCell.class, statement(NEXT, EXAMPLE));

    private static final String PUT = "update %1$s set %2$s = $1 where ctid = $2::text::tid";

    private record KeyRow(String keyId, long count, List<String> examples) {}

    Future<List<SealedColumn>> columns(Tx tx) {
        return tx.query(COLUMNS).map(SEALED_COLUMNS::all);
    }

    Future<List<KeyUse>> keyUses(Tx tx, SealedColumn column) {
        return tx.query(statement(KEY_USES, column))
                .map(KEYS.as(row -> new KeyUse(column, row.keyId(), row.count(), row.examples()))::all);
    }

    /** Locks values after a position that are sealed with another key. */
    Future<List<SealedCell>> next(Tx tx, SealedColumn column, String behind, String currentKeyId) {
        return tx.query(statement(NEXT, column), behind, currentKeyId, BATCH).map(CELLS::all);
    }

    Future<Void> put(Tx tx, SealedColumn column, List<SealedCell> values) {
        if (values.isEmpty()) {
            return Future.succeededFuture();
        }
        var tuples = new ArrayList<Tuple>();
        values.forEach(value -> tuples.add(Tuple.of(value.sealed(), value.place())));
        return tx.batch(statement(PUT, column), tuples).mapEmpty();
    }

    private static String statement(String template, SealedColumn column) {
        return template.formatted(column.table(), column.column());
    }
}
