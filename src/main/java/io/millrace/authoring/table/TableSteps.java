package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.table.cell.CellValue;
import io.millrace.authoring.table.cell.FilterOperator;
import io.millrace.authoring.table.cell.RecordFilter;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.core.text.ShownText;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.ProjectTables;
import io.millrace.piece.property.Property;
import io.millrace.sandbox.expression.value.JsText;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Access of steps and triggers to the tables of their project, by external id. */
public final class TableSteps implements ProjectTables {
    private static final long DEADLINE_MS = 60_000;
    private static final int COLUMNS_SHOWN_MAX = 200;

    private static final String NO_TABLE = "expected a table with the external id ";

    private final Bus bus;

    public TableSteps(Bus bus) {
        this.bus = bus;
    }

    @Override
    public Future<List<Property.Option>> all(String projectId) {
        var page = new PageRequest(PageRequest.LIMIT_MAX, null, false);
        return bus.ask(new Tables.Find(Tables.Filter.all(projectId), page), DEADLINE_MS)
                .map(found -> found.data().stream()
                        .map(table -> new Property.Option(table.name(), TextNode.valueOf(table.externalId())))
                        .toList());
    }

    @Override
    public Future<List<Column>> columns(TableRef place) {
        return in(
                place,
                table -> fields(table)
                        .map(fields -> fields.stream()
                                .map(field -> new Column(
                                        field.id(),
                                        field.externalId(),
                                        field.name(),
                                        field.type().name(),
                                        field.options()))
                                .toList()));
    }

    @Override
    public Future<String> idOf(TableRef place) {
        return in(place, table -> Future.succeededFuture(table.id()));
    }

    @Override
    public Future<ArrayNode> create(TableRef place, List<ObjectNode> rows, String repeatKey) {
        return in(
                place,
                table -> fields(table)
                        .compose(fields -> bus.ask(
                                new TableRecords.Create(
                                        table.id(),
                                        rows.stream()
                                                .map(row -> cells(fields, row))
                                                .toList(),
                                        Optional.of(repeatKey)),
                                DEADLINE_MS))
                        .map(TableSteps::list));
    }

    @Override
    public Future<ArrayNode> find(TableRef place, List<Filter> filters, Optional<Integer> limit) {
        return in(
                place,
                table -> fields(table).compose(fields -> {
                    var wanted = filters.stream()
                            .map(filter -> filter(fields, filter))
                            .toList();
                    return more(table, wanted, limit.orElse(PageRequest.LIMIT_MAX), null, new ArrayList<>())
                            .map(TableSteps::list);
                }));
    }

    /** Reads pages until the requested number of records is reached. */
    private Future<List<TableRecord>> more(
            Table table, List<RecordFilter> filters, int limit, String cursor, List<TableRecord> found) {
        var size = Math.min(limit - found.size(), PageRequest.LIMIT_MAX);
        var page = PageRequest.parse(size, cursor).orElseThrow();
        return bus.ask(new TableRecords.Find(table.id(), filters, page), DEADLINE_MS)
                .compose(records -> {
                    found.addAll(records.data());
                    return records.next() == null || found.size() >= limit
                            ? Future.succeededFuture(found)
                            : more(table, filters, limit, records.next(), found);
                });
    }

    @Override
    public Future<ObjectNode> get(TableRef place, String recordId) {
        return in(
                place,
                table -> bus.ask(new TableRecords.Get(recordId), DEADLINE_MS).map(record -> {
                    if (!record.tableId().equals(table.id())) {
                        throw ApiException.notFound("record", recordId);
                    }
                    return record.toJson();
                }));
    }

    @Override
    public Future<ObjectNode> update(TableRef place, String recordId, ObjectNode values, String repeatKey) {
        return in(
                place,
                table -> fields(table)
                        .compose(fields -> bus.ask(
                                new TableRecords.Update(
                                        table.id(), recordId, cells(fields, values), false, Optional.of(repeatKey)),
                                DEADLINE_MS))
                        .map(TableRecord::toJson));
    }

    @Override
    public Future<Void> delete(TableRef place, List<String> recordIds) {
        return in(
                place,
                table -> bus.ask(new TableRecords.Delete(table.id(), recordIds), DEADLINE_MS)
                        .mapEmpty());
    }

    @Override
    public Future<Void> clear(TableRef place) {
        return in(
                place,
                table -> bus.ask(new Tables.Clear(table.id()), DEADLINE_MS).mapEmpty());
    }

    @Override
    public Future<ObjectNode> export(TableRef place) {
        return in(place, table -> bus.ask(new Tables.Export(table.id()), DEADLINE_MS));
    }

    @Override
    public Future<ArrayNode> newest(TableRef place, int count) {
        return in(
                place,
                table -> bus.ask(new TableRecords.Newest(table.id(), count), DEADLINE_MS)
                        .map(TableSteps::list));
    }

    /** A rejection becomes an error for the author of the flow. */
    private <T> Future<T> in(TableRef place, Function<Table, Future<T>> work) {
        return bus.ask(
                        new Tables.Find(
                                Tables.Filter.known(place.projectId(), place.table()), new PageRequest(1, null, false)),
                        DEADLINE_MS)
                .compose(found -> found.data().stream()
                        .findFirst()
                        .map(work)
                        .orElseGet(() -> Future.failedFuture(
                                PieceFailure.of(NO_TABLE + place.table() + " in this project, found none"))))
                .recover(failure -> Future.failedFuture(told(failure)));
    }

    private static Throwable told(Throwable failure) {
        if (!(failure instanceof ApiException refused) || ApiException.isUnavailable(failure)) {
            return failure;
        }
        return refused.code() == ErrorCode.ENTITY_NOT_FOUND
                ? PieceFailure.of(
                        "expected a " + refused.params().path("entityType").asText() + " with the id "
                                + refused.params().path("entityId").asText() + " in the table, found none")
                : PieceFailure.of(refused.text());
    }

    private Future<List<TableField>> fields(Table table) {
        return bus.ask(new TableFields.ListOf(table.id()), DEADLINE_MS);
    }

    private static List<CellValue> cells(List<TableField> fields, ObjectNode values) {
        var cells = new ArrayList<CellValue>();
        values.properties()
                .forEach(value -> TableField.find(fields, value.getKey())
                        .ifPresent(field -> cells.add(new CellValue(field.id(), JsText.inserted(value.getValue())))));
        if (cells.isEmpty() && !values.isEmpty()) {
            var found = String.join(", ", (Iterable<String>) values::fieldNames);
            throw PieceFailure.of(
                    "expected a record with a column of the table, found " + ShownText.of(found, COLUMNS_SHOWN_MAX));
        }
        return cells;
    }

    private static RecordFilter filter(List<TableField> fields, Filter filter) {
        var field = TableField.find(fields, filter.column())
                .orElseThrow(() -> PieceFailure.of("filters: expected a field of the table, found " + filter.column()));
        var operator = FilterOperator.of(filter.operator())
                .orElseThrow(() -> PieceFailure.of(
                        "filters: " + RecordFilter.expectedOperator() + ", found " + filter.operator()));
        return new RecordFilter(field.id(), operator, filter.value());
    }

    private static ArrayNode list(List<TableRecord> records) {
        var list = Json.array();
        records.forEach(record -> list.add(record.toJson()));
        return list;
    }
}
