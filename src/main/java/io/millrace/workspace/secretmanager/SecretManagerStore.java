package io.millrace.workspace.secretmanager;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.millrace.base.persistence.statement.WhereClause;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rows of {@code secret_manager}. Configurations are sealed before they reach this store. */
final class SecretManagerStore {
    private static final String SELECT = """
            select id, created, updated, platform_id, vendor, name, scope, project_ids, sealed_config, fresh_from
              from secret_manager
            """;

    private static final RowMapper<SecretManager> MANAGERS = RowMapper.of(SecretManager.class, SELECT);

    private static final String INSERT = """
            insert into secret_manager (id, created, updated, platform_id, vendor, name, scope, project_ids, sealed_config,
                                        fresh_from)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """;

    private static final String UPDATE = """
            update secret_manager
               set updated = $3, vendor = $4, name = $5, scope = $6, project_ids = $7, sealed_config = $8, fresh_from = $9
             where id = $1 and platform_id = $2
            """;

    private static final String FIND = SELECT + " where platform_id = $1 and id = any ($2)";

    private static final String DELETE = "delete from secret_manager where id = $1 and platform_id = $2";

    private static final String REFRESH = """
            update secret_manager set fresh_from = $3 where platform_id = $1 and ($2::text is null or id = $2)
            """;

    private static final String PROJECTS = """
            select id from project where platform_id = $1 and id = any ($2) and deleted is null
            """;

    Future<Void> insert(Tx tx, SecretManager manager) {
        return tx.query(
                        INSERT,
                        manager.id(),
                        manager.created(),
                        manager.updated(),
                        manager.platformId(),
                        manager.vendor(),
                        manager.name(),
                        manager.scope(),
                        Values.texts(manager.projectIds()),
                        manager.sealedConfig(),
                        manager.freshFrom())
                .mapEmpty();
    }

    Future<Boolean> update(Tx tx, SecretManager manager) {
        return tx.query(
                        UPDATE,
                        manager.id(),
                        manager.platformId(),
                        manager.updated(),
                        manager.vendor(),
                        manager.name(),
                        manager.scope(),
                        Values.texts(manager.projectIds()),
                        manager.sealedConfig(),
                        manager.freshFrom())
                .map(rows -> rows.rowCount() > 0);
    }

    Future<List<SecretManager>> find(Tx tx, String platformId, Set<String> ids) {
        return tx.query(FIND, platformId, Values.texts(ids)).map(MANAGERS::all);
    }

    Future<Page<SecretManager>> page(Tx tx, String platformId, PageRequest page) {
        return page(tx, new WhereClause(SELECT + " where true").and("platform_id = %s", platformId), page);
    }

    /** Managers of the whole platform, and those of the named project. */
    Future<Page<SecretManager>> page(Tx tx, String platformId, Optional<String> projectId, PageRequest page) {
        var conditions = new WhereClause(SELECT + " where true").and("platform_id = %s", platformId);
        return page(
                tx,
                projectId.isPresent()
                        ? conditions.and("(scope = 'PLATFORM' or %s = any (project_ids))", projectId)
                        : conditions.and("scope = 'PLATFORM'"),
                page);
    }

    private static Future<Page<SecretManager>> page(Tx tx, WhereClause conditions, PageRequest page) {
        return tx.page(
                conditions.sql(),
                Paging.newestFirst(),
                page,
                MANAGERS,
                manager -> new PageKey(manager.created(), manager.id()),
                conditions.values());
    }

    Future<Boolean> delete(Tx tx, String id, String platformId) {
        return tx.query(DELETE, id, platformId).map(rows -> rows.rowCount() > 0);
    }

    Future<Boolean> refresh(Tx tx, String platformId, Optional<String> id, Instant now) {
        return tx.query(REFRESH, platformId, id, now).map(rows -> rows.rowCount() > 0);
    }

    Future<Set<String>> projects(Tx tx, String platformId, List<String> ids) {
        return tx.query(PROJECTS, platformId, Values.texts(ids))
                .map(rows -> Set.copyOf(Rows.all(rows, row -> Rows.text(row, "id"))));
    }
}
