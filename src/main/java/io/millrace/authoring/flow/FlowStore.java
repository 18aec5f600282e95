package io.millrace.authoring.flow;

import io.millrace.authoring.flow.Flows.FlowWithVersion;
import io.millrace.authoring.flow.Flows.VersionChoice;
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
import io.millrace.base.persistence.statement.WhereClause;
import io.millrace.piece.catalogue.PieceScope;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Statements of flows. Only {@link #find} and the lists exclude flows that are being deleted. */
public final class FlowStore {
    private static final String COLUMNS = """
            f.id, f.created, f.updated, f.project_id, f.external_id, f.owner_id, f.folder_id, f.status,
            f.published_version_id, f.metadata::text as metadata, f.operation_status, f.time_saved_per_run,
            f.template_id, f.created_by_type, f.created_by_id
            """;

    private static final RowMapper<Flow> FLOWS = RowMapper.of(Flow.class, "select " + COLUMNS + " from flow f");

    /** The newest version of a flow: the draft when there is one. */
    private static final String LATEST = """
            (select l.id from flow_version l where l.flow_id = f.id order by l.created desc, l.id desc limit 1)
            """;

    /**
     * Sort key of lists, as one instant: enabled flows first, then by last change. A list's cursor holds one instant
     * and an id, and no real change lies a thousand years in the future.
     */
    private static final String LIST_ORDER =
            "(case when f.status = 'ENABLED' then f.updated + interval '1000 years' else f.updated end)";

    private record PopulatedRow(@Unprefixed Flow flow, VersionStore.VersionRow version) {
        FlowWithVersion populated() {
            return new FlowWithVersion(flow, version.version());
        }
    }

    private static final RowMapper<FlowWithVersion> POPULATED = RowMapper.of(
                    PopulatedRow.class,
                    "select " + COLUMNS + ", " + VersionStore.COLUMNS
                            + " from flow f join flow_version v on v.flow_id = f.id")
            .as(PopulatedRow::populated);

    private static final String PLACE = """
            update flow f set folder_id = d.id
              from folder d
             where f.project_id = $1 and f.external_id = $2 and d.project_id = $1 and d.external_id = $3
               and f.folder_id is distinct from d.id
            """;

    private static final String PLACES = """
            select f.external_id, d.display_name
              from flow f join folder d on d.id = f.folder_id
             where f.project_id = $1 and f.operation_status <> 'DELETING'
            """;

    private static final RowMapper<FolderPlaces.Place> PLACES_FOUND = RowMapper.of(FolderPlaces.Place.class, PLACES);

    private static final String PLACE_NAMED = """
            update flow f set folder_id = d.id
              from unnest($2::text[], $3::text[]) as w (external_id, folder)
              left join folder d on d.project_id = $1 and lower(d.display_name) = lower(w.folder)
             where f.project_id = $1 and f.external_id = w.external_id and f.folder_id is distinct from d.id
            """;

    private static final String COUNT_BY_FOLDER = """
            select folder_id, count(*)::int as flows
              from flow
             where folder_id = any ($1) and operation_status <> 'DELETING'
             group by folder_id
            """;

    private record FolderCount(String folderId, int flows) {}

    private static final RowMapper<FolderCount> FOLDER_COUNTS = RowMapper.of(FolderCount.class, COUNT_BY_FOLDER);

    private static final String FIGURES = """
            select project_id, count(*)::int as total, (count(*) filter (where status = 'ENABLED'))::int as active
              from flow where project_id = any($1) and operation_status <> 'DELETING' group by project_id
            """;

    private static final RowMapper<Figures> FIGURE_ROWS = RowMapper.of(Figures.class, FIGURES);

    Future<Void> place(Tx tx, String projectId, String flowExternalId, String folderExternalId) {
        return tx.query(PLACE, projectId, flowExternalId, folderExternalId).mapEmpty();
    }

    Future<Map<String, String>> places(Tx tx, String projectId) {
        return tx.query(PLACES, projectId).map(rows -> FolderPlaces.namesById(PLACES_FOUND.all(rows)));
    }

    /** Moves each flow into the folder of a name; an empty name removes it from its folder. */
    Future<Void> placeNamed(Tx tx, String projectId, List<String> externalIds, List<String> folders) {
        return tx.query(PLACE_NAMED, projectId, Values.texts(externalIds), Values.texts(folders))
                .mapEmpty();
    }

    /** Number of flows by folder, without those being deleted. */
    Future<Map<String, Integer>> countByFolder(Tx tx, List<String> folderIds) {
        return tx.query(COUNT_BY_FOLDER, (Object) folderIds.toArray(String[]::new))
                .map(rows -> FOLDER_COUNTS.all(rows).stream()
                        .collect(Collectors.toMap(FolderCount::folderId, FolderCount::flows)));
    }

    Future<Void> insert(Tx tx, Flow flow) {
        var creator = Optional.ofNullable(flow.createdBy());
        return tx.query(
                        """
                        insert into flow (id, created, updated, project_id, external_id, owner_id, folder_id, status,
                          published_version_id, metadata, operation_status, time_saved_per_run, template_id,
                          created_by_type, created_by_id)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
                        """,
                        flow.id(),
                        flow.created(),
                        flow.updated(),
                        flow.projectId(),
                        flow.externalId(),
                        flow.ownerId(),
                        flow.folderId(),
                        flow.status(),
                        flow.publishedVersionId(),
                        flow.metadata(),
                        flow.operationStatus(),
                        flow.timeSavedPerRun(),
                        flow.templateId(),
                        creator.map(Flow.Creator::type),
                        creator.map(Flow.Creator::id))
                .mapEmpty();
    }

    Future<Void> update(Tx tx, Flow flow) {
        return tx.query(
                        """
                        update flow set updated = $2, owner_id = $3, folder_id = $4, status = $5,
                          published_version_id = $6, metadata = $7, operation_status = $8, time_saved_per_run = $9,
                          operation_version_id =
                            case when $8 in ('ENABLING', 'DISABLING') then operation_version_id end
                        where id = $1
                        """,
                        flow.id(),
                        flow.updated(),
                        flow.ownerId(),
                        flow.folderId(),
                        flow.status(),
                        flow.publishedVersionId(),
                        flow.metadata(),
                        flow.operationStatus(),
                        flow.timeSavedPerRun())
                .mapEmpty();
    }

    Future<Void> delete(Tx tx, String flowId) {
        return tx.query("delete from flow where id = $1", flowId).mapEmpty();
    }

    /** A flow, locked until the transaction ends. */
    public Future<Optional<Flow>> findForUpdate(Tx tx, String flowId) {
        return tx.query("select " + COLUMNS + " from flow f where f.id = $1 for update", flowId)
                .map(FLOWS::first);
    }

    Future<Optional<String>> findProject(Tx tx, String flowId) {
        return tx.query("select project_id from flow where id = $1", flowId)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "project_id")));
    }

    /** Returns whether the project of a flow requires passing tests before a publication; false for a missing flow. */
    Future<Boolean> requiresTests(Tx tx, String flowId) {
        return tx.query("""
                        select p.flow_tests_required from flow f join project p on p.id = f.project_id where f.id = $1
                        """, flowId)
                .map(rows -> Rows.first(rows, row -> Rows.flag(row, "flow_tests_required"))
                        .orElse(false));
    }

    /** Scope for lookups of a flow's pieces, available until the last row of the flow is deleted. */
    Future<Optional<PieceScope>> findPieceScope(Tx tx, String flowId) {
        return tx.query(
                        "select p.platform_id from flow f join project p on p.id = f.project_id where f.id = $1",
                        flowId)
                .map(rows -> Rows.first(rows, row -> PieceScope.of(Rows.text(row, "platform_id"))));
    }

    /** Checks whether a version is the published one of its flow, which may be in deletion. */
    Future<Boolean> isPublished(Tx tx, String flowId, String versionId) {
        return tx.query("select 1 from flow where id = $1 and published_version_id = $2", flowId, versionId)
                .map(rows -> rows.size() > 0);
    }

    /** A flow that is not being deleted, nor is its project. */
    public Future<Optional<Flow>> find(Tx tx, String flowId) {
        return tx.query("select " + COLUMNS + """
                          from flow f join project p on p.id = f.project_id and p.deleted is null
                         where f.id = $1 and f.operation_status <> 'DELETING'
                        """, flowId).map(FLOWS::first);
    }

    /**
     * Marks a flow as being switched; after the given time the mark counts as abandoned.
     *
     * @param targetId version that an abandoned switch may leave enabled
     */
    Future<Void> begin(Tx tx, String flowId, OperationStatus status, String targetId, Duration longest) {
        return tx.query("""
                        update flow set operation_status = $2, operation_version_id = $3,
                          operation_until = now() + make_interval(secs => $4)
                        where id = $1
                        """, flowId, status, targetId, (double) longest.toSeconds())
                .mapEmpty();
    }

    /** Id of the version of the mark of {@link #begin}; empty without one, or when an earlier release has made it. */
    Future<Optional<String>> findSwitchTarget(Tx tx, String flowId) {
        return tx.query("select operation_version_id from flow where id = $1", flowId)
                .map(rows -> Rows.first(rows, row -> Rows.optionalText(row, "operation_version_id"))
                        .flatMap(id -> id));
    }

    /**
     * Finds flows with an unfinished switch.
     *
     * @param all true to include switches within their time limit
     */
    Future<List<String>> findSwitching(Tx tx, boolean all) {
        return tx.query("""
                        select id from flow where operation_status in ('ENABLING', 'DISABLING')
                          and ($1 or operation_until is null or operation_until < now())
                        """, all).map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    /**
     * Finds flows with an unfinished deletion.
     *
     * @param all true to include deletions that may be in progress
     */
    Future<List<String>> findDeleting(Tx tx, boolean all) {
        return tx.query("""
                        select id from flow where operation_status = 'DELETING'
                          and ($1 or updated < now() - interval '10 minutes')
                        """, all).map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    Future<Optional<Flow>> findDeleted(Tx tx, String flowId) {
        return tx.query(
                        "select " + COLUMNS + " from flow f where f.id = $1 and f.operation_status = 'DELETING'",
                        flowId)
                .map(FLOWS::first);
    }

    private record ListRow(@Unprefixed PopulatedRow row, Instant listOrder) {}

    private static final RowMapper<ListRow> LISTED = RowMapper.of(
            ListRow.class,
            "select " + COLUMNS + ", " + VersionStore.COLUMNS + ", " + LIST_ORDER
                    + " as list_order from flow f join flow_version v on v.flow_id = f.id");

    Future<Page<FlowWithVersion>> page(Tx tx, Flows.Filter filter, PageRequest page) {
        var shown = filter.versionChoice() == VersionChoice.DRAFT ? LATEST : "f.published_version_id";
        var conditions = new WhereClause("select " + COLUMNS + ", " + VersionStore.COLUMNS + ", " + LIST_ORDER
                        + " as list_order from flow f join flow_version v on v.id = " + shown
                        + " join flow_version n on n.id = " + LATEST + " where f.operation_status <> 'DELETING'")
                .and("f.project_id = %s", filter.projectId())
                .andAny(
                        "f.status %s",
                        filter.statuses().stream().map(Enum::name).toList())
                .and("position(lower(%s) in lower(n.display_name)) > 0", filter.name())
                .andAny("f.external_id %s", filter.externalIds())
                .andOverlap("n.connection_ids", filter.uses().connections())
                .andOverlap("n.agent_ids", filter.uses().agents())
                .andAny("f.folder_id %s", filter.folderIds());
        if (filter.uncategorisedOnly()) {
            conditions.and("f.folder_id is null");
        }
        return tx.page(
                        conditions.sql(),
                        Paging.newestFirst().on(LIST_ORDER, "f.id"),
                        page,
                        LISTED,
                        listed -> new PageKey(
                                listed.listOrder(), listed.row().flow().id()),
                        conditions.values())
                .map(listed -> listed.map(one -> one.row().populated()));
    }

    /** All flows of a project with their latest versions, oldest first. */
    Future<List<FlowWithVersion>> ofProject(Tx tx, String projectId) {
        return tx.query(
                        "select " + COLUMNS + ", " + VersionStore.COLUMNS
                                + " from flow f join flow_version v on v.id = "
                                + LATEST + """
                                 where f.project_id = $1 and f.operation_status <> 'DELETING'
                                 order by f.created, f.id
                                """,
                        projectId)
                .map(POPULATED::all);
    }

    /** Frees the external id of a flow that is being deleted, whose row may exist for a while. */
    Future<Void> freeExternalId(Tx tx, String projectId, String externalId) {
        return tx.query("""
                        update flow set external_id = id
                        where project_id = $1 and external_id = $2 and operation_status = 'DELETING'
                        """, projectId, externalId).mapEmpty();
    }

    /**
     * Enabled flows with their published versions, oldest first.
     *
     * @param part JSON that the trigger contains; the caller must filter false matches
     */
    Future<List<FlowWithVersion>> findEnabled(Tx tx, String projectId, String part, int limit) {
        return tx.query("select " + COLUMNS + ", " + VersionStore.COLUMNS + """
                          from flow f join flow_version v on v.id = f.published_version_id
                         where f.project_id = $1 and f.status = 'ENABLED' and f.operation_status <> 'DELETING'
                           and position(convert_to($2::text, 'UTF8') in v.trigger) > 0
                         order by f.created, f.id limit $3
                        """, projectId, part, limit)
                .map(POPULATED::all);
    }

    Future<List<Flow>> findEnabled(Tx tx, String projectId) {
        return tx.query(
                        "select " + COLUMNS + " from flow f where f.project_id = $1 and f.status = 'ENABLED'",
                        projectId)
                .map(FLOWS::all);
    }

    /** Ids of enabled flows, those changed last first. */
    Future<List<String>> findEnabled(Tx tx, int limit) {
        return tx.query("""
                        select id from flow where status = 'ENABLED' and operation_status <> 'DELETING'
                        order by updated desc, id limit $1
                        """, limit).map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    Future<Integer> count(Tx tx, Flows.Count count) {
        return tx.query("""
                        select count(*)::int as flows from flow
                        where project_id = $1 and operation_status <> 'DELETING'
                          and ($2::text is null or folder_id = $2) and (not $3 or folder_id is null)
                        """, count.projectId(), count.folderId(), count.uncategorisedOnly())
                .map(rows -> Rows.first(rows, row -> Rows.integer(row, "flows")).orElse(0));
    }

    /** Numbers of flows and of enabled flows of a project. */
    record Figures(String projectId, int total, int active) {}

    Future<List<Figures>> figures(Tx tx, List<String> projectIds) {
        return tx.query(FIGURES, (Object) projectIds.toArray(String[]::new)).map(FIGURE_ROWS::all);
    }
}
