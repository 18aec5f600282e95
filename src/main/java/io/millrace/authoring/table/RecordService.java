package io.millrace.authoring.table;

import io.millrace.authoring.table.RecordStore.Bare;
import io.millrace.authoring.table.RecordStore.CellWrite;
import io.millrace.authoring.table.cell.Cell;
import io.millrace.authoring.table.cell.CellValue;
import io.millrace.authoring.table.cell.FieldType;
import io.millrace.authoring.table.cell.RecordFilter;
import io.millrace.authoring.table.event.RecordEvent;
import io.millrace.authoring.table.event.RecordListeners;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Handles {@link TableRecords}. Access to the record's project was checked by the caller. A change and its events share
 * one transaction.
 */
public final class RecordService implements BusService {
    private final Bus bus;
    private final Database database;
    private final RecordEventPublisher news;
    private final int recordsMax;
    private final InstantSource clock;
    private final TableStore tables = new TableStore();
    private final FieldStore fields = new FieldStore();
    private final RecordStore store = new RecordStore();

    /** @param recordsMax records that one table may have (AP_MAX_RECORDS_PER_TABLE) */
    public RecordService(Bus bus, Database database, RecordListeners listeners, int recordsMax, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.news = new RecordEventPublisher(listeners);
        this.recordsMax = recordsMax;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(TableRecords.Create.class, this::create);
        bus.serve(TableRecords.Get.class, this::get);
        bus.serve(TableRecords.ProjectOf.class, this::projectOf);
        bus.serve(TableRecords.Update.class, this::update);
        bus.serve(TableRecords.Delete.class, this::delete);
        bus.serve(TableRecords.Find.class, this::find);
        bus.serve(TableRecords.Newest.class, this::newest);
    }

    private Future<List<TableRecord>> create(TableRecords.Create ask) {
        var now = now();
        var ids = ids(ask);
        return told(database.inTransaction(tx -> held(tx, ask.tableId())
                .compose(held -> repeated(tx, ask, ids)
                        .compose(there -> there.isEmpty()
                                ? added(tx, held, ids, ask.rows(), now)
                                        .compose(made -> news.tell(
                                                tx,
                                                held.table(),
                                                RecordEvent.RECORD_CREATED,
                                                made,
                                                ask.repeatKey(),
                                                now))
                                : populated(tx, held.table().id(), there)
                                        .map(RecordEventPublisher.PublishResult::nothing)))));
    }

    private Future<List<TableRecord>> told(Future<RecordEventPublisher.PublishResult> committed) {
        return news.told(committed).onSuccess(records -> {
            if (!records.isEmpty()) {
                bus.publish(Tables.Changed.of(records));
            }
        });
    }

    private static List<String> ids(TableRecords.Create ask) {
        return IntStream.range(0, ask.rows().size())
                .mapToObj(index ->
                        ask.repeatKey().map(key -> Hashes.id(key + ":" + index)).orElseGet(Ids::next))
                .toList();
    }

    /** Records created by an earlier attempt of the same request. */
    private Future<List<Bare>> repeated(Tx tx, TableRecords.Create ask, List<String> ids) {
        return ask.repeatKey().isPresent() ? store.findAll(tx, ask.tableId(), ids) : Future.succeededFuture(List.of());
    }

    private Future<List<TableRecord>> added(
            Tx tx, TableStore.TableWithSize held, List<String> ids, List<List<CellValue>> rows, Instant now) {
        if (held.records() + (long) rows.size() > recordsMax) {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "expected at most " + recordsMax + " records in a table, found "
                            + (held.records() + (long) rows.size()));
        }
        var table = held.table();
        return fields.of(tx, table.id())
                .compose(columns -> store.newestCreated(tx, table.id())
                        .map(newest -> newest.map(last -> last.plus(1, ChronoUnit.MICROS))
                                .filter(now::isBefore)
                                .orElse(now))
                        .compose(first -> added(tx, table, columns, ids, rows, first)));
    }

    /**
     * Creation times of records are a microsecond apart and later than all others, so that lists keep the order of
     * insertion.
     */
    private Future<List<TableRecord>> added(
            Tx tx, Table table, List<TableField> columns, List<String> ids, List<List<CellValue>> rows, Instant first) {
        var types = types(columns);
        var made = new ArrayList<Bare>();
        var cells = new ArrayList<CellWrite>();
        for (var row : rows) {
            var created = first.plus(made.size(), ChronoUnit.MICROS);
            var id = ids.get(made.size());
            made.add(new Bare(id, created, created, table.id(), table.projectId()));
            cells.addAll(written(id, row, types, created));
        }
        return store.insert(tx, table, made)
                .compose(_ -> store.putCells(tx, cells))
                .compose(_ -> tables.addRecords(tx, table.id(), made.size()))
                .map(_ -> joined(made, cells.stream().map(CellWrite::cell).toList(), columns));
    }

    private static Map<String, FieldType> types(List<TableField> columns) {
        return columns.stream().collect(Collectors.toMap(TableField::id, TableField::type));
    }

    /** Cells of known fields; the last one of a repeated field counts. */
    private static List<CellWrite> written(
            String recordId, List<CellValue> row, Map<String, FieldType> types, Instant now) {
        var cells = new LinkedHashMap<String, CellWrite>();
        for (var value : row) {
            var type = types.get(value.fieldId());
            if (type != null) {
                cells.put(
                        value.fieldId(),
                        new CellWrite(new Cell(recordId, value.fieldId(), value.text(), now, now), type));
            }
        }
        return List.copyOf(cells.values());
    }

    private Future<TableRecord> get(TableRecords.Get ask) {
        return database.read(tx -> required(tx, ask.recordId())
                .compose(bare -> populated(tx, bare.tableId(), List.of(bare)).map(List::getFirst)));
    }

    private Future<String> projectOf(TableRecords.ProjectOf ask) {
        return database.read(tx -> required(tx, ask.recordId())).map(Bare::projectId);
    }

    private Future<TableRecord> update(TableRecords.Update ask) {
        var now = now();
        return told(database.inTransaction(tx -> tables.share(tx, ask.tableId())
                        .map(found -> TableService.required(found, ask.tableId()))
                        .compose(table -> store.touch(tx, ask.tableId(), ask.recordId(), ask.repeatKey(), now)
                                .map(found -> found.orElseThrow(() -> ApiException.notFound("record", ask.recordId())))
                                .compose(touched -> touched.isRepeated()
                                        ? populated(tx, ask.tableId(), List.of(touched.bare()))
                                                .map(RecordEventPublisher.PublishResult::nothing)
                                        : changedAndTold(tx, table, touched.bare(), ask, now)))))
                .map(List::getFirst);
    }

    private Future<RecordEventPublisher.PublishResult> changedAndTold(
            Tx tx, Table table, Bare bare, TableRecords.Update ask, Instant now) {
        return changed(tx, bare, ask.cells(), now).compose(record -> {
            var records = List.of(record);
            return ask.isQuiet()
                    ? Future.succeededFuture(RecordEventPublisher.PublishResult.nothing(records))
                    : news.tell(tx, table, RecordEvent.RECORD_UPDATED, records, ask.repeatKey(), now);
        });
    }

    private Future<TableRecord> changed(Tx tx, Bare bare, List<CellValue> values, Instant now) {
        return fields.of(tx, bare.tableId())
                .compose(columns -> store.putCells(tx, written(bare.id(), values, types(columns), now))
                        .compose(_ -> store.cells(tx, List.of(bare)))
                        .map(cells -> joined(List.of(bare), cells, columns).getFirst()));
    }

    private Future<Nothing> delete(TableRecords.Delete ask) {
        var now = now();
        return told(database.inTransaction(tx -> held(tx, ask.tableId())
                        .compose(held -> store.findAll(tx, ask.tableId(), ask.recordIds())
                                .compose(there -> populated(tx, ask.tableId(), there)
                                        .compose(gone -> store.delete(tx, there)
                                                .compose(_ -> tables.addRecords(tx, ask.tableId(), -there.size()))
                                                .compose(_ -> news.tell(
                                                        tx,
                                                        held.table(),
                                                        RecordEvent.RECORD_DELETED,
                                                        gone,
                                                        Optional.empty(),
                                                        now)))))))
                .map(Nothing.DONE);
    }

    private Future<Page<TableRecord>> find(TableRecords.Find ask) {
        return database.read(tx -> tables.find(tx, ask.tableId())
                .map(found -> TableService.required(found, ask.tableId()))
                .compose(_ -> fields.of(tx, ask.tableId()))
                .compose(columns -> store.page(tx, ask.tableId(), conditions(ask.filters(), columns), ask.page())
                        .compose(page -> store.cells(tx, page.data()).map(cells -> {
                            var records = joined(page.data(), cells, columns);
                            return new Page<>(records, page.next(), page.previous());
                        }))));
    }

    private static List<CellCondition> conditions(List<RecordFilter> filters, List<TableField> columns) {
        var types = types(columns);
        return filters.stream()
                .map(filter -> {
                    var type = types.get(filter.fieldId());
                    if (type == null) {
                        throw ApiException.notFound("field", filter.fieldId());
                    }
                    return CellCondition.of(filter, type);
                })
                .toList();
    }

    private Future<List<TableRecord>> newest(TableRecords.Newest ask) {
        return database.read(tx ->
                store.newest(tx, ask.tableId(), ask.count()).compose(newest -> populated(tx, ask.tableId(), newest)));
    }

    private Future<List<TableRecord>> populated(Tx tx, String tableId, List<Bare> records) {
        return fields.of(tx, tableId)
                .compose(columns -> store.cells(tx, records).map(cells -> joined(records, cells, columns)));
    }

    private static List<TableRecord> joined(List<Bare> records, List<Cell> cells, List<TableField> columns) {
        var values = new HashMap<String, Map<String, TableRecord.Value>>();
        for (var cell : cells) {
            values.computeIfAbsent(cell.recordId(), _ -> new HashMap<>())
                    .put(cell.fieldId(), new TableRecord.Value(cell.value(), cell.created(), cell.updated()));
        }
        return records.stream()
                .map(bare -> new TableRecord(
                        bare.id(),
                        bare.created(),
                        bare.updated(),
                        bare.tableId(),
                        bare.projectId(),
                        values.getOrDefault(bare.id(), Map.of()),
                        columns))
                .toList();
    }

    private Future<TableStore.TableWithSize> held(Tx tx, String tableId) {
        return tables.hold(tx, tableId).map(found -> TableService.required(found, tableId));
    }

    private Future<Bare> required(Tx tx, String recordId) {
        return store.find(tx, recordId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("record", recordId)));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
