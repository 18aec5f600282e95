package io.millrace.authoring.table;

import io.millrace.authoring.folder.FolderPlaces;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.row.Unprefixed;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Tables of deleted projects are excluded. */
final class TableStore {
    /** Name of the constraint that makes external ids unique. */
    static final String EXTERNAL_ID = "data_table_external_id";

    private static final String SELECT = """
            select t.id, t.created, t.updated, t.name, t.folder_id, t.project_id, t.external_id, t.status, t.trigger,
                   t.records
              from data_table t
              join project p on p.id = t.project_id
             where p.deleted is null
            """;

    private static final String MATCHING = """
               and t.project_id = $1
               and ($2::text is null or strpos(lower(t.name), lower($2)) > 0)
               and ($3::text[] is null or t.external_id = any ($3))
               and ($4::text[] is null or t.folder_id = any ($4))
               and (not $5 or t.folder_id is null)
            """;

    private static final String FIND = SELECT + " and t.id = $1";

    private static final String PAGE = SELECT + MATCHING;

    private static final String COUNT = "select count(*)::int as tables from (" + PAGE + ") as matching";

    private static final String PLACES = """
            select t.external_id, d.display_name from data_table t join folder d on d.id = t.folder_id where t.project_id = $1
            """;

    private static final RowMapper<FolderPlaces.Place> PLACES_FOUND = RowMapper.of(FolderPlaces.Place.class, PLACES);

    private static final String PLACE_NAMED = """
            update data_table t set folder_id = d.id
              from unnest($2::text[], $3::text[]) as w (external_id, folder)
              left join folder d on d.project_id = $1 and lower(d.display_name) = lower(w.folder)
             where t.project_id = $1 and t.external_id = w.external_id and t.folder_id is distinct from d.id
            """;

    private static final String COUNT_BY_FOLDER = """
            select folder_id, count(*)::int as tables from data_table where folder_id = any ($1) group by folder_id
            """;

    private record FolderCount(String folderId, int tables) {}

    private static final RowMapper<FolderCount> FOLDER_COUNTS = RowMapper.of(FolderCount.class, COUNT_BY_FOLDER);

    private static final String INSERT = """
            insert into data_table (id, created, updated, name, folder_id, project_id, external_id, status, trigger)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """;

    private static final String UPDATE = """
            update data_table
               set updated = $2, name = $3, folder_id = $4, status = $5, trigger = $6
             where id = $1
            """;

    /** A table locked against concurrent writes until the transaction ends. */
    record TableWithSize(@Unprefixed Table table, int records) {}

    private static final RowMapper<TableWithSize> HELD = RowMapper.of(TableWithSize.class, SELECT);

    private static final RowMapper<Table> TABLES = HELD.as(TableWithSize::table);

    Future<Void> insert(Tx tx, Table table) {
        return tx.query(
                        INSERT,
                        table.id(),
                        table.created(),
                        table.updated(),
                        table.name(),
                        table.folderId(),
                        table.projectId(),
                        table.externalId(),
                        Optional.ofNullable(table.status()),
                        Optional.ofNullable(table.trigger()))
                .mapEmpty();
    }

    Future<Void> update(Tx tx, Table table) {
        return tx.query(
                        UPDATE,
                        table.id(),
                        table.updated(),
                        table.name(),
                        table.folderId(),
                        Optional.ofNullable(table.status()),
                        Optional.ofNullable(table.trigger()))
                .mapEmpty();
    }

    Future<Optional<Table>> find(Tx tx, String tableId) {
        return tx.query(FIND, tableId).map(TABLES::first);
    }

    /** Locks a table against changes of its fields and of its number of records until the transaction ends. */
    Future<Optional<TableWithSize>> hold(Tx tx, String tableId) {
        return tx.query(FIND + " for no key update of t", tableId).map(HELD::first);
    }

    /** Locks a table against changes of its fields until the transaction ends. */
    Future<Optional<Table>> share(Tx tx, String tableId) {
        return tx.query(FIND + " for share of t", tableId).map(TABLES::first);
    }

    Future<Page<Table>> page(Tx tx, Tables.Filter filter, PageRequest page) {
        return tx.page(
                PAGE,
                Paging.newestFirst().on("t.created", "t.id"),
                page,
                TABLES,
                table -> new PageKey(table.created(), table.id()),
                valuesOf(filter));
    }

    Future<List<Table>> all(Tx tx, String projectId, int most) {
        return tx.query(SELECT + " and t.project_id = $1 order by t.created, t.id limit $2", projectId, (long) most)
                .map(TABLES::all);
    }

    Future<Long> countOf(Tx tx, String projectId) {
        return tx.query("select count(*) as tables from data_table where project_id = $1", projectId)
                .map(rows -> Rows.whole(rows.iterator().next(), "tables"));
    }

    Future<Integer> count(Tx tx, Tables.Filter filter) {
        return tx.query(COUNT, valuesOf(filter))
                .map(rows ->
                        Rows.first(rows, row -> Rows.integer(row, "tables")).orElseThrow());
    }

    /** Names of the folders of tables, by the external ids of the tables. */
    Future<Map<String, String>> places(Tx tx, String projectId) {
        return tx.query(PLACES, projectId).map(rows -> FolderPlaces.namesById(PLACES_FOUND.all(rows)));
    }

    /** Moves each table into the folder of a name; an empty name removes it from its folder. */
    Future<Void> placeNamed(Tx tx, String projectId, List<String> externalIds, List<String> folders) {
        return tx.query(PLACE_NAMED, projectId, Values.texts(externalIds), Values.texts(folders))
                .mapEmpty();
    }

    Future<Map<String, Integer>> countByFolder(Tx tx, List<String> folderIds) {
        return tx.query(COUNT_BY_FOLDER, (Object) Values.texts(folderIds))
                .map(rows -> FOLDER_COUNTS.all(rows).stream()
                        .collect(Collectors.toMap(FolderCount::folderId, FolderCount::tables)));
    }

    private static Object[] valuesOf(Tables.Filter filter) {
        return new Object[] {
            filter.projectId(),
            filter.namePart(),
            textsOrNull(filter.externalIds()),
            textsOrNull(filter.folderIds()),
            filter.uncategorised()
        };
    }

    private static String[] textsOrNull(List<String> texts) {
        return texts.isEmpty() ? null : Values.texts(texts);
    }

    Future<Void> addRecords(Tx tx, String tableId, int count) {
        return tx.query("update data_table set records = records + $2 where id = $1", tableId, count)
                .mapEmpty();
    }

    /** Deletes cells first, by the index of their fields; a cascade per row would have no index. */
    Future<Void> delete(Tx tx, String tableId) {
        return empty(tx, tableId)
                .compose(_ -> tx.query("delete from data_table where id = $1", tableId))
                .mapEmpty();
    }

    Future<Void> empty(Tx tx, String tableId) {
        return tx.query(
                        "delete from table_cell where field_id in (select id from table_field where table_id = $1)",
                        tableId)
                .compose(_ -> tx.query("delete from table_record where table_id = $1", tableId))
                .compose(_ -> tx.query("update data_table set records = 0 where id = $1", tableId))
                .mapEmpty();
    }
}
