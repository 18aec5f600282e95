package io.millrace.authoring.folder;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class FolderStore {
    /** Name of the index that makes names unique. */
    static final String NAME_INDEX = "folder_name";

    private static final String COLUMNS = "id, created, updated, project_id, display_name, display_order, external_id";

    private static final String SELECT = "select " + COLUMNS + " from folder where ";

    private static final String FIND = SELECT + "id = $1";

    private static final RowMapper<Folder> FOLDERS = RowMapper.of(Folder.class, FIND);

    record Put(@Unprefixed Folder folder, boolean isNew) {}

    private static final RowMapper<Put> PUTS =
            RowMapper.of(Put.class, "select " + COLUMNS + ", true as is_new from folder");

    /** Inserts a folder, or renames the one of the same name. Fails when it is new and exceeds the project's limit. */
    Future<Put> put(Tx tx, Folder folder, RowBound bound) {
        return bounded(tx, folder, "display_name = excluded.display_name, updated = excluded.updated", bound);
    }

    /** Inserts a folder, or finds an existing one of the same name. Fails when it is new and exceeds the project's limit. */
    Future<Put> findOrInsert(Tx tx, Folder folder, RowBound bound) {
        return bounded(tx, folder, "display_name = folder.display_name", bound);
    }

    private static Future<Put> bounded(Tx tx, Folder folder, String change, RowBound bound) {
        return begin(tx, folder.projectId(), bound)
                .compose(addition -> put(tx, folder, change)
                        .compose(put -> put.isNew()
                                ? check(tx, folder.projectId(), addition).map(put)
                                : Future.succeededFuture(put)));
    }

    /** Excludes other transactions that add folders to a project. */
    static Future<RowBound.Addition> begin(Tx tx, String projectId, RowBound bound) {
        return bound.begin(tx, "folders", "project", projectId);
    }

    static Future<Void> check(Tx tx, String projectId, RowBound.Addition addition) {
        return tx.query("select count(*) as folders from folder where project_id = $1", projectId)
                .compose(rows -> addition.check(Rows.whole(rows.iterator().next(), "folders")));
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
                .map(PUTS::only);
    }

    Future<Optional<Folder>> find(Tx tx, String folderId) {
        return tx.query(FIND, folderId).map(FOLDERS::first);
    }

    /** Locks a folder of a project until the transaction ends; returns whether it exists. */
    Future<Boolean> hold(Tx tx, String projectId, String folderId) {
        return tx.query("select id from folder where id = $1 and project_id = $2 for key share", folderId, projectId)
                .map(rows -> rows.size() > 0);
    }

    Future<Page<Folder>> page(Tx tx, String projectId, PageRequest page) {
        return tx.page(
                SELECT + "project_id = $1",
                Paging.oldestFirst(),
                page,
                FOLDERS,
                folder -> new PageKey(folder.created(), folder.id()),
                projectId);
    }

    Future<Optional<Folder>> rename(Tx tx, String folderId, String displayName, Instant now) {
        return tx.query(
                        "update folder set display_name = $2, updated = $3 where id = $1 returning " + COLUMNS,
                        folderId,
                        displayName,
                        now)
                .map(FOLDERS::first);
    }

    Future<List<Folder>> withExternalId(Tx tx, String projectId) {
        return tx.query(
                        "select " + COLUMNS + " from folder where project_id = $1 and external_id is not null"
                                + " order by created, id",
                        projectId)
                .map(FOLDERS::all);
    }

    Future<List<Folder>> all(Tx tx, String projectId) {
        return tx.query("select " + COLUMNS + " from folder where project_id = $1 order by created, id", projectId)
                .map(FOLDERS::all);
    }

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

    Future<Optional<Folder>> delete(Tx tx, String folderId) {
        return tx.query("delete from folder where id = $1 returning " + COLUMNS, folderId)
                .map(FOLDERS::first);
    }
}
