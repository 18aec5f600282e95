package io.millrace.authoring.table;

import io.millrace.authoring.table.cell.CellValue;
import io.millrace.authoring.table.cell.RecordFilter;
import io.millrace.base.access.Access;
import io.millrace.base.access.Access.ProjectSource;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Records of tables over HTTP (contract flows-and-engine 22.4, 22.5). */
public final class RecordRoutes implements RouteGroup {
    private static final int PAGE_LIMIT = 10;
    private static final String TABLE_ID = "tableId";

    private final Bus bus;

    public RecordRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var writeInBody = Access.projectAndPieces(
                Permission.WRITE_TABLE, new ProjectSource.RowInBody(TABLE_ID, Tables.ProjectOf::new));
        routes.post("/v1/records", writeInBody, RecordRoutes::readNew, this::create);
        routes.delete("/v1/records", writeInBody, RecordRoutes::readIds, this::delete);
        routes.get(
                "/v1/records",
                Access.projectAndPieces(
                        Permission.READ_TABLE, new ProjectSource.RowInQuery(TABLE_ID, Tables.ProjectOf::new)),
                RecordRoutes::readList,
                this::list);
        routes.get("/v1/records/:id", ofRecord(Permission.READ_TABLE), input -> input.id("id"), this::get);
        routes.post("/v1/records/:id", ofRecord(Permission.WRITE_TABLE), RecordRoutes::readUpdate, this::update);
    }

    private static Access ofRecord(Permission permission) {
        return Access.projectAndPieces(permission, new ProjectSource.Row("id", TableRecords.ProjectOf::new));
    }

    private static TableRecords.Create readNew(Input input) {
        var body = input.body();
        var rows = new ArrayList<List<CellValue>>();
        for (var row : body.array("records")) {
            // A row is an array, so it is parsed as the only field of a wrapper object.
            var index = String.valueOf(rows.size());
            rows.add(CellValue.read(body.part("records", Json.object().set(index, row)), index));
        }
        return new TableRecords.Create(body.text(TABLE_ID, Ids.PATTERN), rows, Optional.empty());
    }

    private Future<ApiReply> create(ApiCall call, TableRecords.Create parameters) {
        return bus.ask(parameters, call.deadlineMs()).map(made -> {
            var list = Json.array();
            made.forEach(record -> list.add(record.toJson()));
            return ApiReply.created(list);
        });
    }

    private static TableRecords.Delete readIds(Input input) {
        var body = input.body();
        return new TableRecords.Delete(body.text(TABLE_ID, Ids.PATTERN), body.requiredTexts("ids"));
    }

    private Future<ApiReply> delete(ApiCall call, TableRecords.Delete parameters) {
        return bus.ask(parameters, call.deadlineMs()).map(_ -> ApiReply.ok(Json.array()));
    }

    private record ListQuery(String tableId, List<RecordFilter> filters, PageRequest page) {}

    private static ListQuery readList(Input input) {
        var query = input.query();
        return new ListQuery(query.text(TABLE_ID, Ids.PATTERN), RecordFilter.read(query), query.page(PAGE_LIMIT));
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new TableRecords.Find(listing.tableId(), listing.filters(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, TableRecord::toJson));
    }

    private Future<ApiReply> get(ApiCall call, String recordId) {
        return bus.ask(new TableRecords.Get(recordId), call.deadlineMs()).map(record -> ApiReply.ok(record.toJson()));
    }

    private static TableRecords.Update readUpdate(Input input) {
        var body = input.body();
        return new TableRecords.Update(
                body.text(TABLE_ID, Ids.PATTERN),
                input.id("id"),
                cells(body),
                body.optionalFlag("agentUpdate").orElse(false),
                Optional.empty());
    }

    private static List<CellValue> cells(Fields body) {
        return body.isAbsent("cells") ? List.of() : CellValue.read(body, "cells");
    }

    private Future<ApiReply> update(ApiCall call, TableRecords.Update parameters) {
        return bus.ask(parameters, call.deadlineMs()).map(record -> ApiReply.ok(record.toJson()));
    }
}
