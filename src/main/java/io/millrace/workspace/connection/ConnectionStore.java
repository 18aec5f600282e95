package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.WhereClause;
import io.millrace.workspace.connection.credential.ConnectionStatus;
import io.millrace.workspace.connection.credential.SealedValueStore;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of {@code app_connection}. Values are sealed before they reach this store; {@link SealedValueStore} reads them. */
final class ConnectionStore {
    private static final String INSERT = """
            insert into app_connection (id, created, updated, external_id, display_name, type, scope, status, piece_name,
                                        piece_version, platform_id, project_id, owner_id, metadata,
                                        pre_select_for_new_projects, using_secret_manager, sealed_value, refresh_due,
                                        piece_token_due)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                    case when $6 <> 'CUSTOM_AUTH' then $18::timestamptz end,
                    case when $6 = 'CUSTOM_AUTH' then $18::timestamptz end)
            """;

    /** A new value cancels a renewal of the old one that is in progress. */
    private static final String OVERWRITE = """
            update app_connection
               set updated = $2, display_name = $3, type = $4, status = $5, piece_name = $6, piece_version = $7,
                   metadata = $8, pre_select_for_new_projects = $9, using_secret_manager = $10, sealed_value = $11,
                   refresh_due = case when $4 <> 'CUSTOM_AUTH' then $12::timestamptz end,
                   piece_token_due = case when $4 = 'CUSTOM_AUTH' then $12::timestamptz end,
                   refresh_claim = null, refresh_claimed = null
             where id = $1
            """;

    private static final String UPDATE = """
            update app_connection
               set updated = $2, display_name = $3, metadata = $4, pre_select_for_new_projects = $5
             where id = $1
            """;

    private static final String SET_STATUS = """
            update app_connection set updated = $2, status = $3 where id = $1
            """;

    private static final String SELECT = """
            select c.id, c.created, c.updated, c.external_id, c.display_name, c.type, c.scope, c.status, c.piece_name,
                   c.piece_version, c.platform_id, c.owner_id, o.record::text as owner, c.metadata::text as metadata,
                   c.pre_select_for_new_projects, c.using_secret_manager,
                   case when c.project_id is not null then array[c.project_id]
                        else array(select g.project_id from global_connection_project g join project p on p.id = g.project_id
                                    where g.connection_id = c.id and p.deleted is null
                                    order by p.created, p.id) end as project_ids
              from app_connection c
              left join user_record o on o.id = c.owner_id
             where (c.project_id is null
                    or exists (select from project p where p.id = c.project_id and p.deleted is null))
            """;

    private static final RowMapper<AppConnection> CONNECTIONS = RowMapper.of(AppConnection.class, SELECT);

    private static final String FIND = SELECT + " and c.id = $1";

    private static final String FIND_IN_PROJECT = SELECT + """
               and c.scope = 'PROJECT' and c.project_id = $1 and c.external_id = $2
               for update of c
            """;

    private static final String FIND_GLOBAL = SELECT + """
               and c.scope = 'PLATFORM' and c.platform_id = $1 and c.external_id = $2
               for update of c
            """;

    private static final String IN_PROJECTS = """
            (c.project_id %1$s
             or exists (select from global_connection_project g where g.connection_id = c.id and g.project_id %1$s))
            """;

    private static final String OF_PROJECT = SELECT + """
               and (c.project_id = $1
                    or exists (select from global_connection_project g
                                where g.connection_id = c.id and g.project_id = $1))
             order by c.created, c.id
            """;

    private static final String DELETE = """
            delete from app_connection where id = $1
            """;

    private static final String COUNT =
            "select count(*) as connections from app_connection where scope = 'PROJECT' and project_id = $1";

    record Secret(Buffer sealed, Optional<Instant> refreshDue) {}

    /**
     * Inserts a connection. Fails when a project has too many of its own; global connections belong to the platform and do not
     * count.
     */
    Future<Void> insert(Tx tx, AppConnection connection, Secret secret, RowBound bound) {
        if (connection.scope() == ConnectionScope.PLATFORM) {
            return insert(tx, connection, secret);
        }
        var projectId = connection.projectIds().getFirst();
        return bound.begin(tx, "connections", "project", projectId)
                .compose(addition -> insert(tx, connection, secret)
                        .compose(_ -> tx.query(COUNT, projectId))
                        .compose(rows ->
                                addition.check(Rows.whole(rows.iterator().next(), "connections"))));
    }

    private static Future<Void> insert(Tx tx, AppConnection connection, Secret secret) {
        return tx.query(
                        INSERT,
                        connection.id(),
                        connection.created(),
                        connection.updated(),
                        connection.externalId(),
                        connection.displayName(),
                        connection.type(),
                        connection.scope(),
                        connection.status(),
                        connection.pieceName(),
                        connection.pieceVersion(),
                        connection.platformId(),
                        connection.scope() == ConnectionScope.PROJECT
                                ? connection.projectIds().getFirst()
                                : null,
                        connection.ownerId(),
                        connection.metadata(),
                        connection.preSelectForNewProjects(),
                        connection.usingSecretManager(),
                        secret.sealed(),
                        secret.refreshDue())
                .mapEmpty();
    }

    Future<Void> overwrite(Tx tx, AppConnection connection, Secret secret) {
        return tx.query(
                        OVERWRITE,
                        connection.id(),
                        connection.updated(),
                        connection.displayName(),
                        connection.type(),
                        connection.status(),
                        connection.pieceName(),
                        connection.pieceVersion(),
                        connection.metadata(),
                        connection.preSelectForNewProjects(),
                        connection.usingSecretManager(),
                        secret.sealed(),
                        secret.refreshDue())
                .mapEmpty();
    }

    Future<Void> update(
            Tx tx, String id, Instant now, String displayName, JsonNode metadata, boolean preSelectForNewProjects) {
        return tx.query(UPDATE, id, now, displayName, metadata, preSelectForNewProjects)
                .mapEmpty();
    }

    Future<Void> setStatus(Tx tx, String id, Instant now, ConnectionStatus status) {
        return tx.query(SET_STATUS, id, now, status).mapEmpty();
    }

    Future<Optional<AppConnection>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(CONNECTIONS::first);
    }

    /** A project's own connection, locked until the transaction ends. */
    Future<Optional<AppConnection>> findInProject(Tx tx, String projectId, String externalId) {
        return tx.query(FIND_IN_PROJECT, projectId, externalId).map(CONNECTIONS::first);
    }

    /** A global connection, locked until the transaction ends. */
    Future<Optional<AppConnection>> findGlobal(Tx tx, String platformId, String externalId) {
        return tx.query(FIND_GLOBAL, platformId, externalId).map(CONNECTIONS::first);
    }

    /** A list in one project needs no platform, because the project determines it. */
    Future<Page<AppConnection>> page(Tx tx, Optional<String> platformId, ConnectionFilter filter, PageRequest page) {
        var conditions = new WhereClause(SELECT)
                .and("c.platform_id = %s", platformId)
                .and("c.scope = %s", filter.scope())
                .and("c.piece_name = %s", filter.pieceName())
                .and("strpos(lower(c.display_name), lower(%s)) > 0", filter.displayName())
                .andAny("c.status %s", names(filter.statuses()))
                .andAny(IN_PROJECTS, filter.projectIds())
                .andAny("c.owner_id %s", filter.ownerIds());
        return tx.page(
                conditions.sql(),
                Paging.oldestFirst().on("c.created", "c.id"),
                page,
                CONNECTIONS,
                connection -> new PageKey(connection.created(), connection.id()),
                conditions.values());
    }

    private static List<String> names(List<ConnectionStatus> statuses) {
        return statuses.stream().map(ConnectionStatus::name).toList();
    }

    Future<List<AppConnection>> ofProject(Tx tx, String projectId) {
        return tx.query(OF_PROJECT, projectId).map(CONNECTIONS::all);
    }

    Future<Void> delete(Tx tx, String id) {
        return tx.query(DELETE, id).mapEmpty();
    }
}
