package io.millrace.workspace.aiprovider;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of {@code ai_tool}. Keys are sealed before they reach this store. */
final class AiToolStore {
    private static final String COLUMNS =
            "id, platform_id, capability, service, sealed_key, config::text as config, enabled";

    private static final String UPSERT = """
            insert into ai_tool (id, created, updated, platform_id, capability, service, sealed_key, config, enabled)
            values ($1, $2, $2, $3, $4, $5, $6, $7, $8)
            on conflict (platform_id, capability) do update
               set updated = excluded.updated, service = excluded.service, sealed_key = excluded.sealed_key,
                   config = excluded.config, enabled = excluded.enabled
            returning\s""" + COLUMNS;

    private static final String ALL = "select " + COLUMNS + " from ai_tool where platform_id = $1 order by created, id";

    private static final RowMapper<AiTool> TOOLS = RowMapper.of(AiTool.class, ALL);

    private static final String FIND =
            "select " + COLUMNS + " from ai_tool where id = $1 and platform_id = $2 for update";

    private static final String UPDATE = """
            update ai_tool set updated = $2, service = $3, sealed_key = $4, config = $5, enabled = $6 where id = $1
            """;

    private static final String DELETE = "delete from ai_tool where id = $1 and platform_id = $2";

    /** Returns the stored row: an existing one for the capability keeps its id. */
    Future<AiTool> upsert(Tx tx, AiTool tool, Instant now) {
        return tx.query(
                        UPSERT,
                        tool.id(),
                        now,
                        tool.platformId(),
                        tool.capability(),
                        tool.service(),
                        tool.sealedKey(),
                        tool.config(),
                        tool.enabled())
                .map(TOOLS::only);
    }

    Future<List<AiTool>> all(Tx tx, String platformId) {
        return tx.query(ALL, platformId).map(TOOLS::all);
    }

    /** The row, locked until the transaction ends. */
    Future<Optional<AiTool>> find(Tx tx, String id, String platformId) {
        return tx.query(FIND, id, platformId).map(TOOLS::first);
    }

    Future<Void> update(Tx tx, AiTool tool, Instant now) {
        return tx.query(UPDATE, tool.id(), now, tool.service(), tool.sealedKey(), tool.config(), tool.enabled())
                .mapEmpty();
    }

    Future<Boolean> delete(Tx tx, String id, String platformId) {
        return tx.query(DELETE, id, platformId).map(rows -> rows.rowCount() > 0);
    }
}
