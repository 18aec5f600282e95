package io.millrace.authoring.table;

import io.millrace.authoring.table.cell.Cell;
import io.millrace.authoring.table.cell.ComparableValue;
import io.millrace.authoring.table.cell.FieldType;
import io.millrace.base.core.Nullable;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

final class RecordStore {
    private static final int ROWS_AT_ONCE = 5_000;

    private static final String SELECT = """
            select r.id, r.created, r.updated, r.table_id, r.project_id from table_record r where r.table_id = $1
            """;

    private static final RowMapper<Bare> BARE = RowMapper.of(Bare.class, SELECT);

    private static final String FIND = """
            select r.id, r.created, r.updated, r.table_id, r.project_id
              from table_record r
              join project p on p.id = r.project_id
             where r.id = $1 and p.deleted is null
            """;

    private static final String INSERT = """
            insert into table_record (id, created, updated, table_id, project_id)
            select r.id, r.created, r.created, $1, $2 from unnest($3::text[], $4::timestamptz[]) as r (id, created)
            """;

    /** A repeated change leaves the record unchanged. */
    private static final String TOUCH = """
            update table_record r
               set updated = case when held.is_repeated then r.updated else $3 end,
                   change_key = $4
              from (select id, change_key is not null and change_key is not distinct from $4 as is_repeated
                      from table_record where id = $2 and table_id = $1 for no key update) as held
             where r.id = held.id
            returning r.id, r.created, r.updated, r.table_id, r.project_id, held.is_repeated
            """;

    private static final RowMapper<ChangeTarget> TOUCHED = RowMapper.of(ChangeTarget.class, TOUCH);

    /** A cell with the same text is unchanged. */
    private static final String PUT_CELLS = """
            insert into table_cell (record_id, field_id, created, updated, value, number, instant)
            select c.record_id, c.field_id, c.created, c.created, c.value, c.number, c.instant
              from unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::double precision[],
                   $6::timestamptz[]) as c (record_id, field_id, created, value, number, instant)
            on conflict (record_id, field_id) do update
               set updated = excluded.updated, value = excluded.value, number = excluded.number,
                   instant = excluded.instant
             where table_cell.value <> excluded.value
            """;

    /** Texts that are too long for a number or an instant are cut: they stay too long. */
    private static final String TEXTS = """
            select c.record_id, c.field_id, left(c.value, 500) as value, c.created, c.updated
              from table_record r join table_cell c on c.record_id = r.id
             where r.table_id = $1 and c.field_id = $2 and c.record_id > $3
             order by c.record_id
             limit $4
            """;

    private static final RowMapper<Cell> TEXTS_FOUND = RowMapper.of(Cell.class, TEXTS);

    private static final String CONVERT = """
            update table_cell c set number = n.number, instant = n.instant
              from unnest($2::text[], $3::double precision[], $4::timestamptz[]) as n (record_id, number, instant)
             where c.field_id = $1 and c.record_id = n.record_id
            """;

    private static final String CELLS = """
            select record_id, field_id, value, created, updated from table_cell where record_id = any ($1)
            """;

    private static final RowMapper<Cell> CELLS_FOUND = RowMapper.of(Cell.class, CELLS);

    private static final String ALL = """
            select r.id as record_id, c.field_id, c.value
              from table_record r left join table_cell c on c.record_id = r.id
             where r.table_id = $1
             order by r.created, r.id
            """;

    private static final RowMapper<ExportCell> EXPORTED = RowMapper.of(ExportCell.class, ALL);

    /**
     * Cell of an export.
     *
     * @param fieldId null with the value for a record without cells
     */
    record ExportCell(
            String recordId,
            @Nullable String fieldId,
            @Nullable String value) {}

    record Bare(String id, Instant created, Instant updated, String tableId, String projectId) {
        PageKey key() {
            return new PageKey(created, id);
        }
    }

    /**
     * Record whose row is locked for a change.
     *
     * @param isRepeated true if the same change was the last one
     */
    record ChangeTarget(@Unprefixed Bare bare, boolean isRepeated) {}

    record CellWrite(Cell cell, FieldType type) {
        private Double number() {
            return type.isInstant()
                    ? null
                    : ComparableValue.number(cell.value()).orElse(null);
        }

        private Instant instant() {
            return type.isInstant() ? ComparableValue.instant(cell.value()).orElse(null) : null;
        }
    }

    Future<Void> insert(Tx tx, Table table, List<Bare> records) {
        return tx.query(
                        INSERT,
                        table.id(),
                        table.projectId(),
                        Values.texts(records, Bare::id),
                        Values.instants(records, Bare::created))
                .mapEmpty();
    }

    Future<Void> putCells(Tx tx, List<CellWrite> cells) {
        var done = Future.<Void>succeededFuture();
        for (var from = 0; from < cells.size(); from += ROWS_AT_ONCE) {
            var some = cells.subList(from, Math.min(cells.size(), from + ROWS_AT_ONCE));
            done = done.compose(_ -> putSome(tx, some));
        }
        return done;
    }

    private static Future<Void> putSome(Tx tx, List<CellWrite> cells) {
        return tx.query(
                        PUT_CELLS,
                        Values.texts(cells, written -> written.cell().recordId()),
                        Values.texts(cells, written -> written.cell().fieldId()),
                        Values.instants(cells, written -> written.cell().created()),
                        Values.texts(cells, written -> written.cell().value()),
                        cells.stream().map(CellWrite::number).toArray(Double[]::new),
                        Values.instants(cells, CellWrite::instant))
                .mapEmpty();
    }

    /** Sets the values that filters compare by the texts and the type of a field, for all its cells. */
    Future<Void> convertCells(Tx tx, TableField field) {
        return convertCells(tx, field, "");
    }

    private Future<Void> convertCells(Tx tx, TableField field, String after) {
        return tx.query(TEXTS, field.tableId(), field.id(), after, ROWS_AT_ONCE)
                .map(TEXTS_FOUND::all)
                .compose(cells -> {
                    if (cells.isEmpty()) {
                        return Future.succeededFuture();
                    }
                    var writes = cells.stream()
                            .map(cell -> new CellWrite(cell, field.type()))
                            .toList();
                    return tx.query(
                                    CONVERT,
                                    field.id(),
                                    Values.texts(cells, Cell::recordId),
                                    writes.stream().map(CellWrite::number).toArray(Double[]::new),
                                    Values.instants(writes, CellWrite::instant))
                            .compose(
                                    _ -> convertCells(tx, field, cells.getLast().recordId()));
                });
    }

    /**
     * Records a change of a record, and locks it until the transaction ends. Empty when the table has no such record.
     *
     * @param changeKey of a change that may be repeated
     */
    Future<Optional<ChangeTarget>> touch(
            Tx tx, String tableId, String recordId, Optional<String> changeKey, Instant now) {
        return tx.query(TOUCH, tableId, recordId, now, changeKey).map(TOUCHED::first);
    }

    Future<Optional<Bare>> find(Tx tx, String recordId) {
        return tx.query(FIND, recordId).map(BARE::first);
    }

    Future<List<Bare>> findAll(Tx tx, String tableId, Collection<String> recordIds) {
        return tx.query(SELECT + " and r.id = any ($2) order by r.created, r.id", tableId, Values.texts(recordIds))
                .map(BARE::all);
    }

    Future<Page<Bare>> page(Tx tx, String tableId, List<CellCondition> conditions, PageRequest page) {
        var clause = CellCondition.Clause.of(SELECT, conditions, tableId);
        return tx.page(
                clause.sql(),
                Paging.oldestFirst().on("r.created", "r.id"),
                page,
                BARE,
                Bare::key,
                clause.values().toArray());
    }

    Future<Optional<Instant>> newestCreated(Tx tx, String tableId) {
        return tx.query("select max(created) as created from table_record where table_id = $1", tableId)
                .map(rows -> Rows.first(rows, row -> Rows.optionalInstant(row, "created"))
                        .orElseThrow());
    }

    Future<List<Bare>> newest(Tx tx, String tableId, int count) {
        return tx.query(SELECT + " order by r.created desc, r.id desc limit $2", tableId, (long) count)
                .map(BARE::all);
    }

    /** All cells of a table, record by record, oldest first. */
    Future<List<ExportCell>> all(Tx tx, String tableId) {
        return tx.query(ALL, tableId).map(EXPORTED::all);
    }

    Future<List<Cell>> cells(Tx tx, List<Bare> records) {
        return tx.query(CELLS, (Object) Values.texts(records, Bare::id)).map(CELLS_FOUND::all);
    }

    Future<Void> delete(Tx tx, List<Bare> records) {
        return tx.query("delete from table_record where id = any ($1)", (Object) Values.texts(records, Bare::id))
                .mapEmpty();
    }
}
