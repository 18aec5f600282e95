package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.folder.FolderPlaces;
import io.millrace.authoring.table.event.TableWebhook;
import io.millrace.authoring.table.event.WebhookStore;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.workspace.project.DeletionOutbox;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Handles {@link Tables}. Access to the table's project is checked by the routes. */
public final class TableService implements BusService {
    private final Bus bus;
    private final Database database;
    private final DeletionOutbox deletions;
    private final int fieldsMax;
    private final InstantSource clock;
    private final FolderPlaces folders;
    private final RowBound bound;
    private final RowBound webhookBound;
    private final TableStore store = new TableStore();
    private final FieldStore fields = new FieldStore();
    private final RecordStore records = new RecordStore();
    private final WebhookStore webhooks = new WebhookStore();

    /** @param fieldsMax fields that one table may have (AP_MAX_FIELDS_PER_TABLE) */
    public TableService(
            Bus bus,
            Database database,
            DeletionOutbox deletions,
            int fieldsMax,
            RowBound bound,
            RowBound webhookBound,
            InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.deletions = deletions;
        this.fieldsMax = fieldsMax;
        this.bound = bound;
        this.webhookBound = webhookBound;
        this.folders = new FolderPlaces(bound);
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Tables.Create.class, this::create);
        bus.serve(Tables.Update.class, this::update);
        bus.serve(Tables.Find.class, ask -> database.read(tx -> store.page(tx, ask.filter(), ask.page())));
        bus.serve(Tables.Count.class, ask -> database.read(tx -> store.count(tx, ask.filter())));
        bus.serve(Tables.Get.class, ask -> database.read(tx -> found(tx, ask.tableId())));
        bus.serve(
                Tables.ProjectOf.class,
                ask -> database.read(tx -> found(tx, ask.tableId())).map(Table::projectId));
        bus.serve(Tables.Delete.class, this::delete);
        bus.serve(Tables.Clear.class, this::clear);
        bus.serve(Tables.Export.class, this::export);
        bus.serve(Tables.MakeTemplate.class, this::template);
        bus.serve(Tables.Listen.class, this::listen);
        bus.serve(Tables.EndListening.class, this::endListening);
    }

    private Future<Table> create(Tables.Create ask) {
        var request = ask.request();
        if (request.fields().size() > fieldsMax) {
            return Future.failedFuture(tooMany(fieldsMax));
        }
        var now = now();
        var id = Ids.next();
        return told(database.inTransaction(tx -> folders.find(
                        tx, ask.projectId(), request.folderId(), request.folderName(), now)
                .map(folderId -> new Table(
                        id,
                        now,
                        now,
                        request.name(),
                        folderId.orElse(null),
                        ask.projectId(),
                        request.externalId().orElse(id),
                        null,
                        null))
                .compose(table -> bound.begin(tx, "tables", "project", table.projectId())
                        .compose(addition -> store.insert(tx, table)
                                .compose(_ -> fields.insert(tx, table, fieldsOf(table, request.fields(), now)))
                                .compose(_ -> store.countOf(tx, table.projectId()))
                                .compose(addition::check))
                        .map(table))));
    }

    /** Creation times are a microsecond apart, so that fields keep the given order. */
    static List<TableField> fieldsOf(Table table, List<NewField> wishes, Instant now) {
        var made = new ArrayList<TableField>();
        for (var request : wishes) {
            made.add(TableField.of(request, Ids.next(), now.plus(made.size(), ChronoUnit.MICROS), table));
        }
        return made;
    }

    /** Creation time of a field after existing ones, which may have been created in the same microsecond. */
    static Instant after(List<TableField> there, Instant now) {
        return there.isEmpty() || there.getLast().created().isBefore(now)
                ? now
                : there.getLast().created().plus(1, ChronoUnit.MICROS);
    }

    static ApiException tooMany(int fieldsMax) {
        return ApiException.of(ErrorCode.VALIDATION, "expected at most " + fieldsMax + " fields of a table");
    }

    /** Maps constraint violations, such as a duplicate external id, to API errors. */
    static <T> Future<T> told(Future<T> done) {
        return done.recover(failure -> Future.failedFuture(told(failure)));
    }

    private static Throwable told(Throwable failure) {
        if (!(failure instanceof ConstraintViolation violation)) {
            return failure;
        }
        return switch (violation.constraint()) {
            case TableStore.EXTERNAL_ID ->
                ApiException.of(ErrorCode.VALIDATION, "expected an externalId that no other table has");
            case FieldStore.EXTERNAL_ID ->
                ApiException.of(ErrorCode.VALIDATION, "expected an externalId that no other field has");
            default -> failure;
        };
    }

    private Future<Table> update(Tables.Update ask) {
        return database.inTransaction(tx -> held(tx, ask.tableId())
                        .map(held -> held.table().changed(ask.changes(), now()))
                        .compose(table -> placed(tx, table, ask.changes().folderId())
                                .compose(_ -> store.update(tx, table))
                                .map(table)))
                .onSuccess(table -> bus.publish(Tables.Changed.whole(table)));
    }

    private Future<Void> placed(Tx tx, Table table, FieldChange<String> folderId) {
        return folderId.isNamed() && table.folderId() != null
                ? folders.hold(tx, table.projectId(), table.folderId()).mapEmpty()
                : Future.succeededFuture();
    }

    private Future<Nothing> delete(Tables.Delete ask) {
        return database.inTransaction(tx -> held(tx, ask.tableId())
                        .compose(held -> store.delete(tx, ask.tableId())
                                .compose(_ -> deletions.add(tx, ask.by(), deletionOf(held.table())))
                                .map(held.table())))
                .onSuccess(table -> bus.publish(new Tables.Deleted(ask.by(), table)))
                .map(Nothing.DONE);
    }

    private static DeletionOutbox.Deletion deletionOf(Table table) {
        return new DeletionOutbox.Deletion(DeletionOutbox.Kind.TABLE, table.projectId(), table.externalId());
    }

    private Future<Nothing> clear(Tables.Clear ask) {
        return database.inTransaction(tx -> held(tx, ask.tableId())
                        .compose(held -> store.empty(tx, ask.tableId()).map(held.table())))
                .onSuccess(table -> bus.publish(Tables.Changed.whole(table)))
                .map(Nothing.DONE);
    }

    private Future<ObjectNode> export(Tables.Export ask) {
        return database.inTransaction(tx -> store.share(tx, ask.tableId())
                .map(found -> required(found, ask.tableId()))
                .compose(table -> fields.of(tx, table.id())
                        .compose(columns ->
                                records.all(tx, table.id()).map(rows -> TableExport.of(table, columns, rows)))));
    }

    private Future<ObjectNode> template(Tables.MakeTemplate ask) {
        return database.read(tx -> found(tx, ask.tableId())
                .compose(table -> fields.of(tx, table.id()).map(columns -> TableTemplate.shared(table, columns))));
    }

    private Future<TableWebhook> listen(Tables.Listen ask) {
        var now = now();
        return database.inTransaction(tx -> found(tx, ask.tableId())
                .map(table -> new TableWebhook(
                        Ids.next(), now, now, table.projectId(), table.id(), ask.events(), ask.flowId()))
                .compose(webhook -> webhookBound
                        .begin(tx, "webhooks", "table", webhook.tableId())
                        .compose(addition -> webhooks.insert(tx, webhook).compose(isThere -> {
                            if (!isThere) {
                                throw ApiException.notFound("flow", ask.flowId());
                            }
                            return webhooks.count(tx, webhook.tableId()).compose(addition::check);
                        }))
                        .map(webhook)));
    }

    private Future<Nothing> endListening(Tables.EndListening ask) {
        return database.read(tx -> webhooks.delete(tx, ask.tableId(), ask.webhookId()))
                .map(wasThere -> {
                    if (!wasThere) {
                        throw ApiException.notFound("table_webhook", ask.webhookId());
                    }
                    return Nothing.DONE;
                });
    }

    private Future<Table> found(Tx tx, String tableId) {
        return store.find(tx, tableId).map(found -> required(found, tableId));
    }

    private Future<TableStore.TableWithSize> held(Tx tx, String tableId) {
        return store.hold(tx, tableId).map(found -> required(found, tableId));
    }

    static <T> T required(Optional<T> found, String tableId) {
        return found.orElseThrow(() -> ApiException.notFound("table", tableId));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
