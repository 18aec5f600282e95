package io.millrace.authoring.table;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Handles {@link TableFields}. Access to the field's project is checked by the routes. */
public final class FieldService implements BusService {
    private final Bus bus;
    private final Database database;
    private final int fieldsMax;
    private final InstantSource clock;
    private final TableStore tables = new TableStore();
    private final FieldStore store = new FieldStore();
    private final RecordStore records = new RecordStore();

    /** @param fieldsMax fields that one table may have (AP_MAX_FIELDS_PER_TABLE) */
    public FieldService(Bus bus, Database database, int fieldsMax, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.fieldsMax = fieldsMax;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(TableFields.Create.class, this::create);
        bus.serve(TableFields.ListOf.class, this::list);
        bus.serve(TableFields.Get.class, ask -> database.read(tx -> found(tx, ask.fieldId())));
        bus.serve(
                TableFields.ProjectOf.class,
                ask -> database.read(tx -> found(tx, ask.fieldId())).map(TableField::projectId));
        bus.serve(TableFields.Rename.class, this::rename);
        bus.serve(TableFields.Define.class, this::define);
        bus.serve(TableFields.Delete.class, this::delete);
    }

    private Future<TableField> create(TableFields.Create ask) {
        var id = Ids.next();
        return TableService.told(database.inTransaction(tx -> held(tx, ask.tableId())
                        .compose(table -> store.of(tx, table.id()).compose(there -> {
                            if (there.size() >= fieldsMax) {
                                throw TableService.tooMany(fieldsMax);
                            }
                            var field = TableField.of(ask.request(), id, TableService.after(there, now()), table);
                            return store.insert(tx, table, List.of(field)).map(field);
                        }))))
                .onSuccess(this::tell);
    }

    private Future<List<TableField>> list(TableFields.ListOf ask) {
        return database.read(tx -> tables.find(tx, ask.tableId())
                .map(found -> TableService.required(found, ask.tableId()))
                .compose(table -> store.of(tx, table.id())));
    }

    private Future<TableField> rename(TableFields.Rename ask) {
        return database.inTransaction(tx -> found(tx, ask.fieldId())
                        .compose(field -> store.update(tx, field.named(ask.name()), now()))
                        .compose(_ -> found(tx, ask.fieldId())))
                .onSuccess(this::tell);
    }

    /** Locks the table, as writes of records do, so that no cell is written with the values of the former type. */
    private Future<TableField> define(TableFields.Define ask) {
        return database.inTransaction(tx -> found(tx, ask.fieldId())
                        .compose(field -> held(tx, field.tableId()))
                        .compose(_ -> found(tx, ask.fieldId()))
                        .compose(field -> {
                            var defined = field.defined(ask.name(), ask.type(), ask.options());
                            return store.update(tx, defined, now())
                                    .compose(_ -> field.type().isInstant()
                                                    == defined.type().isInstant()
                                            ? Future.succeededFuture()
                                            : records.convertCells(tx, defined));
                        })
                        .compose(_ -> found(tx, ask.fieldId())))
                .onSuccess(this::tell);
    }

    /** Locks the table, as writes of records do, so that no cell is written to a deleted field. */
    private Future<Nothing> delete(TableFields.Delete ask) {
        return database.inTransaction(tx -> found(tx, ask.fieldId())
                        .compose(field -> held(tx, field.tableId())
                                .compose(_ -> store.delete(tx, ask.fieldId()))
                                .map(field)))
                .onSuccess(this::tell)
                .map(Nothing.DONE);
    }

    private void tell(TableField field) {
        bus.publish(new Tables.Changed(field.projectId(), field.tableId(), List.of()));
    }

    private Future<TableField> found(Tx tx, String fieldId) {
        return store.find(tx, fieldId).map(found -> found.orElseThrow(() -> ApiException.notFound("field", fieldId)));
    }

    private Future<Table> held(Tx tx, String tableId) {
        return tables.hold(tx, tableId)
                .map(found -> TableService.required(found, tableId).table());
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
