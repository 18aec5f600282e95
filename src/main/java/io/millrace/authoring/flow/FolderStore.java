package io.millrace.authoring.flow;

import io.millrace.base.core.Page;
import io.millrace.base.core.PageKey;
import io.millrace.base.core.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Statements of folders. */
final class FolderStore {
    /** Name of the index that keeps names apart. */
    static final String NAME_INDEX = "folder_name";

    private static final String COLUMNS = "id, created, updated, project_id, display_name, display_order, external_id";

    private static final String COUNTED = "select " + COLUMNS + """
            , (select count(*)::int from flow
                where flow.folder_id = folder.id and flow.operation_status <> 'DELETING') as flows
            from folder where\s""";

    /** A folder that was asked for by name, and whether it is new. */
    record Put(Folder folder, boolean isNew) {}

    /** Inserts a folder, or renames the one of the same name. */
    Future<Put> put(Tx tx, Folder folder) {
        return put(tx, folder, "display_name = excluded.display_name, updated = excluded.updated");
    }

    /** Inserts a folder, or finds the one of the same name as it is. */
    Future<Put> findOrInsert(Tx tx, Folder folder) {
        return put(tx, folder, "display_name = folder.display_name");
    }

    private static Future<Put> put(Tx tx, Folder folder, String change) {
        return tx.query(
                        "insert into folder (" + COLUMNS + ") values ($1, $2, $3, $4, $5, $6, $7)"
                                + " on conflict (project_id, lower(display_name)) do update set " + change
                                + " returning " + COLUMNS + ", (xmax = 0) as is_new",
                        folder.id(),
                        folder.created(),
                        folder.updated(),
                        folder.projectId(),
                        folder.displayName(),
                        folder.displayOrder(),
                        folder.externalId())
                .map(rows -> Rows.first(rows, row -> new Put(folder(row), Rows.flag(row, "is_new")))
                        .orElseThrow());
    }

    /** A folder with the flows that it has; its tables are not counted. */
    Future<Optional<Folder.Counted>> find(Tx tx, String folderId) {
        return tx.query(COUNTED + "id = $1", folderId).map(rows -> Rows.first(rows, FolderStore::counted));
    }

    /** Whether a project has a folder; it stays until the transaction ends. */
    Future<Boolean> hold(Tx tx, String projectId, String folderId) {
        return tx.query("select id from folder where id = $1 and project_id = $2 for key share", folderId, projectId)
                .map(rows -> rows.size() > 0);
    }

    /** Folders with the flows that they have; their tables are not counted. */
    Future<Page<Folder.Counted>> page(Tx tx, String projectId, PageRequest page) {
        return tx.page(
                COUNTED + "project_id = $1",
                Paging.oldestFirst(),
                page,
                FolderStore::counted,
                counted ->
                        new PageKey(counted.folder().created(), counted.folder().id()),
                projectId);
    }

    Future<Optional<Folder>> rename(Tx tx, String folderId, String displayName, Instant now) {
        return tx.query(
                        "update folder set display_name = $2, updated = $3 where id = $1 returning " + COLUMNS,
                        folderId,
                        displayName,
                        now)
                .map(rows -> Rows.first(rows, FolderStore::folder));
    }

    /** Folders that are known in other projects too, oldest first. */
    Future<List<Folder>> withExternalId(Tx tx, String projectId) {
        return tx.query(
                        "select " + COLUMNS + " from folder where project_id = $1 and external_id is not null"
                                + " order by created, id",
                        projectId)
                .map(rows -> Rows.all(rows, FolderStore::folder));
    }

    /** Inserts a folder, or gives the one of the same id another name and order. */
    Future<Void> putById(Tx tx, Folder folder) {
        return tx.query(
                        "insert into folder (" + COLUMNS + ") values ($1, $2, $3, $4, $5, $6, $7)" + """
                                 on conflict (id) do update set display_name = excluded.display_name,
                                  display_order = excluded.display_order, updated = excluded.updated
                                """,
                        folder.id(),
                        folder.created(),
                        folder.updated(),
                        folder.projectId(),
                        folder.displayName(),
                        folder.displayOrder(),
                        folder.externalId())
                .mapEmpty();
    }

    /** Puts a flow into a folder, both by their external ids. */
    Future<Void> place(Tx tx, String projectId, String flowExternalId, String folderExternalId) {
        return tx.query("""
                        update flow f set folder_id = d.id
                          from folder d
                         where f.project_id = $1 and f.external_id = $2 and d.project_id = $1 and d.external_id = $3
                           and f.folder_id is distinct from d.id
                        """, projectId, flowExternalId, folderExternalId).mapEmpty();
    }

    Future<Optional<Folder>> delete(Tx tx, String folderId) {
        return tx.query("delete from folder where id = $1 returning " + COLUMNS, folderId)
                .map(rows -> Rows.first(rows, FolderStore::folder));
    }

    private static Folder.Counted counted(Row row) {
        return new Folder.Counted(folder(row), Rows.integer(row, "flows"), 0);
    }

    private static Folder folder(Row row) {
        return new Folder(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.instant(row, "updated"),
                Rows.text(row, "project_id"),
                Rows.text(row, "display_name"),
                Rows.number(row, "display_order"),
                Rows.optionalText(row, "external_id").orElse(null));
    }
}
