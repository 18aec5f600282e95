package io.millrace.authoring.table;

import io.millrace.base.access.Access;
import io.millrace.base.access.Access.ProjectSource;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;

/** Fields of tables over HTTP (contract flows-and-engine 22.3). */
public final class FieldRoutes implements RouteGroup {
    private static final String TABLE_ID = "tableId";

    private final Bus bus;

    public FieldRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.post(
                "/v1/fields",
                Access.projectAndPieces(
                        Permission.WRITE_TABLE, new ProjectSource.RowInBody(TABLE_ID, Tables.ProjectOf::new)),
                FieldRoutes::readNew,
                this::create);
        routes.get(
                "/v1/fields",
                Access.projectAndPieces(
                        Permission.READ_TABLE, new ProjectSource.RowInQuery(TABLE_ID, Tables.ProjectOf::new)),
                input -> input.query().text(TABLE_ID, Ids.PATTERN),
                this::list);
        routes.get("/v1/fields/:id", ofField(Permission.READ_TABLE), input -> input.id("id"), this::get);
        routes.post("/v1/fields/:id", ofField(Permission.WRITE_TABLE), FieldRoutes::readChange, this::change);
        routes.delete("/v1/fields/:id", ofField(Permission.WRITE_TABLE), input -> input.id("id"), this::delete);
    }

    private static Access ofField(Permission permission) {
        return Access.projectAndPieces(permission, new ProjectSource.Row("id", TableFields.ProjectOf::new));
    }

    private record Parameters(String tableId, NewField field) {}

    private static Parameters readNew(Input input) {
        var body = input.body();
        return new Parameters(body.text(TABLE_ID, Ids.PATTERN), NewField.read(body));
    }

    private Future<ApiReply> create(ApiCall call, Parameters parameters) {
        return bus.ask(new TableFields.Create(parameters.tableId(), parameters.field()), call.deadlineMs())
                .map(field -> ApiReply.created(field.toJson()));
    }

    private Future<ApiReply> list(ApiCall call, String tableId) {
        return bus.ask(new TableFields.ListOf(tableId), call.deadlineMs()).map(fields -> {
            var list = Json.array();
            fields.forEach(field -> list.add(field.toJson()));
            return ApiReply.ok(list);
        });
    }

    private Future<ApiReply> get(ApiCall call, String fieldId) {
        return bus.ask(new TableFields.Get(fieldId), call.deadlineMs()).map(field -> ApiReply.ok(field.toJson()));
    }

    /** Change of a field; without a type its type and options stay. */
    private record Change(String fieldId, String name, Optional<NewField> definition) {}

    private static Change readChange(Input input) {
        var body = input.body();
        if (body.isAbsent("type")) {
            body.orNull().optionalObject("data");
        }
        return new Change(
                input.id("id"),
                body.text("name", 1, Fields.NAME_LENGTH_MAX),
                body.isAbsent("type") ? Optional.empty() : Optional.of(NewField.read(body)));
    }

    private Future<ApiReply> change(ApiCall call, Change change) {
        var request = change.definition()
                .<BusRequest<TableField>>map(defined ->
                        new TableFields.Define(change.fieldId(), change.name(), defined.type(), defined.options()))
                .orElseGet(() -> new TableFields.Rename(change.fieldId(), change.name()));
        return bus.ask(request, call.deadlineMs()).map(field -> ApiReply.ok(field.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String fieldId) {
        return bus.ask(new TableFields.Delete(fieldId), call.deadlineMs()).map(_ -> ApiReply.empty());
    }
}
