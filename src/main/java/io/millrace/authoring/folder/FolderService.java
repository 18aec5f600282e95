package io.millrace.authoring.folder;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Handles {@link Folders}. Access to the folder's project is checked by the routes. */
public final class FolderService implements BusService {
    private final Bus bus;
    private final Database database;
    private final FolderContents flows;
    private final FolderContents tables;
    private final AuditLog auditLog;
    private final RowBound bound;
    private final InstantSource clock;
    private final FolderStore store = new FolderStore();

    public FolderService(
            Bus bus,
            Database database,
            FolderContents flows,
            FolderContents tables,
            AuditLog auditLog,
            RowBound bound,
            InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.flows = flows;
        this.tables = tables;
        this.auditLog = auditLog;
        this.bound = bound;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(Folders.Put.class, this::put);
        bus.serve(Folders.Get.class, ask -> get(ask.folderId()));
        bus.serve(Folders.Find.class, this::find);
        bus.serve(Folders.Rename.class, this::rename);
        bus.serve(Folders.Delete.class, this::delete);
        bus.serve(
                Folders.ProjectOf.class,
                ask -> get(ask.folderId()).map(counted -> counted.folder().projectId()));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }

    static Folder fresh(String projectId, String displayName, Instant now) {
        return new Folder(Ids.next(), now, now, projectId, displayName, 0, null);
    }

    private Future<Folder.FolderCounts> put(Folders.Put ask) {
        return database.inTransaction(tx -> store.put(tx, fresh(ask.projectId(), ask.displayName(), now()), bound)
                        .compose(put -> record(
                                        tx,
                                        put.isNew() ? EventAction.FOLDER_CREATED : EventAction.FOLDER_UPDATED,
                                        ask.by(),
                                        put.folder())
                                .map(put)))
                .compose(put -> {
                    bus.publish(
                            put.isNew()
                                    ? new Folders.Created(ask.by(), put.folder())
                                    : new Folders.Updated(ask.by(), put.folder()));
                    return get(put.folder().id());
                });
    }

    private Future<Folder.FolderCounts> get(String folderId) {
        return database.read(tx -> store.find(tx, folderId)
                .map(found -> Page.whole(List.of(present(found, folderId))))
                .compose(found -> counted(tx, found))
                .map(counted -> counted.data().getFirst()));
    }

    private Future<Page<Folder.FolderCounts>> find(Folders.Find ask) {
        return database.read(tx -> store.page(tx, ask.projectId(), ask.page()).compose(page -> counted(tx, page)));
    }

    private Future<Page<Folder.FolderCounts>> counted(Tx tx, Page<Folder> page) {
        var folderIds = page.data().stream().map(Folder::id).toList();
        return flows.count(tx, folderIds)
                .compose(ofFlows -> tables.count(tx, folderIds)
                        .map(ofTables -> page.map(folder -> new Folder.FolderCounts(
                                folder, ofFlows.getOrDefault(folder.id(), 0), ofTables.getOrDefault(folder.id(), 0)))));
    }

    private Future<Folder.FolderCounts> rename(Folders.Rename ask) {
        return database.inTransaction(tx -> store.rename(tx, ask.folderId(), ask.displayName(), now())
                        .map(found -> present(found, ask.folderId()))
                        .compose(folder -> record(tx, EventAction.FOLDER_UPDATED, ask.by(), folder)
                                .map(folder)))
                .recover(failure -> Future.failedFuture(nameTaken(failure)))
                .compose(folder -> {
                    bus.publish(new Folders.Updated(ask.by(), folder));
                    return get(ask.folderId());
                });
    }

    private static Throwable nameTaken(Throwable failure) {
        return failure instanceof ConstraintViolation violation
                        && violation.constraint().equals(FolderStore.NAME_INDEX)
                ? ApiException.of(ErrorCode.VALIDATION, "expected a displayName that no other folder has")
                : failure;
    }

    private Future<Nothing> delete(Folders.Delete ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.folderId())
                        .map(found -> present(found, ask.folderId()))
                        .compose(folder -> record(tx, EventAction.FOLDER_DELETED, ask.by(), folder)
                                .map(folder)))
                .map(folder -> {
                    bus.publish(new Folders.Deleted(ask.by(), folder));
                    return Nothing.DONE;
                });
    }

    private Future<Void> record(Tx tx, EventAction action, Principal by, Folder folder) {
        return auditLog.record(tx, ApplicationEvent.inProject(action, by, folder.projectId(), folder.eventData()));
    }

    private static <T> T present(Optional<T> found, String folderId) {
        return found.orElseThrow(() -> ApiException.notFound("folder", folderId));
    }
}
