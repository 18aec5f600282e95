package io.millrace.workspace.project;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

final class ConcurrencyPoolStore {
    private static final String SAVE = """
            insert into concurrency_pool (id, created, updated, platform_id, key, max_concurrent_jobs)
            values ($1, $2, $2, $3, $4, $5)
            on conflict (platform_id, key) do update
            set updated = case when concurrency_pool.max_concurrent_jobs = excluded.max_concurrent_jobs
                               then concurrency_pool.updated else excluded.updated end,
                max_concurrent_jobs = excluded.max_concurrent_jobs
            returning id, updated = $2 as is_changed
            """;

    private static final RowMapper<PoolRow> SAVED = RowMapper.of(PoolRow.class, SAVE);

    private static final String ASSIGN = "update project set updated = $2, pool_id = $3 where id = $1";

    private static final String FIND_PROJECTS = "select id from project where pool_id = $1 and deleted is null";

    /** A saved pool. The flag is true when its limit has changed. */
    record PoolRow(String id, boolean isChanged) {}

    /** Creates a pool, or sets the limit of the one with that key. */
    Future<PoolRow> save(Tx tx, String id, Instant now, String platformId, ManagedProject.Pool pool) {
        return tx.query(SAVE, id, now, platformId, pool.key(), pool.limit()).map(SAVED::only);
    }

    Future<List<String>> findProjects(Tx tx, String poolId) {
        return tx.query(FIND_PROJECTS, poolId).map(rows -> Rows.all(rows, row -> Rows.text(row, "id")));
    }

    Future<Void> assign(Tx tx, Project project) {
        return tx.query(ASSIGN, project.id(), project.updated(), project.poolId())
                .mapEmpty();
    }
}
