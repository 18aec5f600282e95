package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.IntNode;
import io.millrace.authoring.table.event.RecordEvent;
import io.millrace.base.access.Access;
import io.millrace.base.access.Access.ProjectSource;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.FieldChange;
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

/** Tables over HTTP (contract flows-and-engine 22.2). */
public final class TableRoutes implements RouteGroup {
    private static final int PAGE_LIMIT = 10;
    private static final String UNCATEGORISED = "NULL";

    private final Bus bus;

    public TableRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var read = Permission.READ_TABLE;
        var write = Permission.WRITE_TABLE;
        var inQuery = Access.projectAndPieces(read, new ProjectSource.Query());
        routes.post(
                "/v1/tables",
                Access.projectAndPieces(write, new ProjectSource.Body()),
                TableRoutes::readNew,
                this::create);
        routes.get("/v1/tables", inQuery, TableRoutes::readList, this::list);
        routes.get("/v1/tables/count", inQuery, TableRoutes::readFilter, this::count);
        routes.get("/v1/tables/:id", ofTable(read), TableRoutes::readId, this::get);
        routes.post("/v1/tables/:id", ofTable(write), TableRoutes::readChanges, this::update);
        routes.delete("/v1/tables/:id", ofTable(write), TableRoutes::readId, this::delete);
        routes.get("/v1/tables/:id/export", ofTable(read), TableRoutes::readId, this::export);
        routes.get("/v1/tables/:id/template", ofTable(read), TableRoutes::readId, this::template);
        routes.post("/v1/tables/:id/clear", ofTable(write), TableRoutes::readId, this::clear);
        routes.post("/v1/tables/:id/webhooks", ofTable(write), TableRoutes::readWebhook, this::listen);
        routes.delete(
                "/v1/tables/:id/webhooks/:webhookId", ofTable(write), TableRoutes::readWebhookId, this::endListening);
    }

    /** Returns the error for an unknown table to callers without permission for it. */
    private static Access ofTable(Permission permission) {
        return Access.projectAndPieces(permission, new ProjectSource.Row("id", Tables.ProjectOf::new));
    }

    private static String readId(Input input) {
        return input.id("id");
    }

    private static NewTable readNew(Input input) {
        var body = input.body();
        body.text("projectId", Ids.PATTERN);
        return new NewTable(
                body.text("name", 1, Fields.NAME_LENGTH_MAX),
                readFields(body),
                body.optionalText("externalId", NewField.EXTERNAL_ID),
                body.optionalText("folderId", Ids.PATTERN),
                body.optionalName("folderName").filter(name -> !name.isEmpty()));
    }

    private static List<NewField> readFields(Fields body) {
        var fields = new ArrayList<NewField>();
        if (!body.isAbsent("fields")) {
            for (var field : body.array("fields")) {
                fields.add(NewField.read(body.element("fields", fields.size(), field)));
            }
        }
        return fields;
    }

    private Future<ApiReply> create(ApiCall call, NewTable parameters) {
        return bus.ask(new Tables.Create(call.projectId(), parameters), call.deadlineMs())
                .map(table -> ApiReply.created(table.toJson()));
    }

    private record ListQuery(Tables.Filter filter, PageRequest page) {}

    private static ListQuery readList(Input input) {
        return new ListQuery(readFilter(input), input.query().page(PAGE_LIMIT));
    }

    private static Tables.Filter readFilter(Input input) {
        var query = input.query();
        var folder = query.optionalText("folderId");
        return new Tables.Filter(
                query.text("projectId", Ids.PATTERN),
                query.optionalText("name"),
                query.texts("externalIds"),
                folder.filter(id -> !id.equals(UNCATEGORISED)).map(List::of).orElse(query.texts("folderIds")),
                folder.filter(UNCATEGORISED::equals).isPresent());
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new Tables.Find(listing.filter().in(call.projectId()), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, Table::toJson));
    }

    private Future<ApiReply> count(ApiCall call, Tables.Filter filter) {
        return bus.ask(new Tables.Count(filter.in(call.projectId())), call.deadlineMs())
                .map(count -> ApiReply.ok(IntNode.valueOf(count)));
    }

    private Future<ApiReply> get(ApiCall call, String tableId) {
        return bus.ask(new Tables.Get(tableId), call.deadlineMs()).map(table -> ApiReply.ok(table.toJson()));
    }

    private record Update(String tableId, TableChanges changes) {}

    private static Update readChanges(Input input) {
        var body = input.body();
        var changes = new TableChanges(
                body.isAbsent("name") ? Optional.empty() : Optional.of(body.text("name", 1, Fields.NAME_LENGTH_MAX)),
                body.orNull().changedName("folderId"),
                changed(body, "status", TableStatus.class),
                changed(body, "trigger", TableTrigger.class));
        return new Update(input.id("id"), changes);
    }

    private static <E extends Enum<E>> FieldChange<E> changed(Fields body, String name, Class<E> type) {
        return body.has(name)
                ? FieldChange.to(body.orNull().optionalOption(name, type).orElse(null))
                : FieldChange.keep();
    }

    private Future<ApiReply> update(ApiCall call, Update update) {
        return bus.ask(new Tables.Update(update.tableId(), update.changes()), call.deadlineMs())
                .map(table -> ApiReply.ok(table.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String tableId) {
        return bus.ask(new Tables.Delete(call.principal(), tableId), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> export(ApiCall call, String tableId) {
        return bus.ask(new Tables.Export(tableId), call.deadlineMs()).map(ApiReply::ok);
    }

    private Future<ApiReply> template(ApiCall call, String tableId) {
        return bus.ask(new Tables.MakeTemplate(tableId), call.deadlineMs()).map(ApiReply::ok);
    }

    private Future<ApiReply> clear(ApiCall call, String tableId) {
        return bus.ask(new Tables.Clear(tableId), call.deadlineMs()).map(_ -> ApiReply.empty());
    }

    private record Webhook(String tableId, String flowId, List<RecordEvent> events) {}

    /** The address is ignored: the flow id is part of the request, and the server knows the address of the flow. */
    private static Webhook readWebhook(Input input) {
        var body = input.body();
        body.text("webhookUrl");
        body.array("events");
        return new Webhook(input.id("id"), body.text("flowId", Ids.PATTERN), body.options("events", RecordEvent.class));
    }

    private Future<ApiReply> listen(ApiCall call, Webhook webhook) {
        return bus.ask(new Tables.Listen(webhook.tableId(), webhook.flowId(), webhook.events()), call.deadlineMs())
                .map(listening -> ApiReply.ok(listening.toJson()));
    }

    private record WebhookId(String tableId, String webhookId) {}

    private static WebhookId readWebhookId(Input input) {
        return new WebhookId(input.id("id"), input.id("webhookId"));
    }

    private Future<ApiReply> endListening(ApiCall call, WebhookId id) {
        return bus.ask(new Tables.EndListening(id.tableId(), id.webhookId()), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}
