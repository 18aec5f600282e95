package io.millrace.workspace.aiprovider;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of {@code ai_provider}. Credentials are sealed before they reach this store. */
final class AiProviderStore {
    private static final String SELECT = """
            select id, created, updated, platform_id, vendor, display_name, config::text as config, sealed_auth,
                   enabled_for_chat, model_scope as scope_kind, model_ids as scope_model_ids
              from ai_provider
            """;

    private static final RowMapper<AiProvider> PROVIDERS = RowMapper.of(AiProvider.class, SELECT);

    private static final String INSERT = """
            insert into ai_provider (id, created, updated, platform_id, vendor, display_name, config, sealed_auth,
                                     enabled_for_chat, model_scope, model_ids)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """;

    /**
     * The row serves chats when no other provider does. A concurrently added chat provider wins; the next attempt adds the
     * row.
     */
    private static final String INSERT_CREDITS = """
            insert into ai_provider (id, created, updated, platform_id, vendor, display_name, config, sealed_auth,
                                     enabled_for_chat)
            select $1, $2, $2, $3, $4, $5, '{}', $6,
                   not exists (select 1 from ai_provider where platform_id = $3 and enabled_for_chat)
             where not exists (select 1 from ai_provider where platform_id = $3 and vendor = $4)
                on conflict do nothing
            """;

    private static final String ALL = SELECT + " where platform_id = $1 order by created, id";

    private static final String FIND = SELECT + " where id = $1 and platform_id = $2";

    private static final String FOR_CHAT = SELECT + " where platform_id = $1 and enabled_for_chat";

    private static final String NEWEST = SELECT + """
             where platform_id = $1 and vendor = $2
             order by created desc, id desc
             limit 1
            """;

    private static final String TAKEN = """
            select 1 from ai_provider
             where platform_id = $1 and vendor = $2 and id <> $3 and lower(trim(display_name)) = lower(trim($4))
             limit 1
            """;

    /** Serializes transactions that use the same name; an advisory lock, because there may be no row to lock. */
    private static final String LOCK_NAMES = "select pg_advisory_xact_lock(hashtextextended('ai_provider/' || $1, 0))";

    /** Serializes concurrent choices of the chat provider. */
    private static final String LOCK = "select id from ai_provider where platform_id = $1 order by id for update";

    private static final String DISABLE_OTHERS = """
            update ai_provider set updated = $3, enabled_for_chat = false
             where platform_id = $1 and id <> $2 and enabled_for_chat
            """;

    private static final String UPDATE = """
            update ai_provider
               set updated = $2, display_name = $3, config = $4, sealed_auth = $5, enabled_for_chat = $6,
                   model_scope = $7, model_ids = $8
             where id = $1
            """;

    private static final String DELETE = "delete from ai_provider where id = $1 and platform_id = $2";

    Future<Void> insert(Tx tx, AiProvider provider) {
        return tx.query(
                        INSERT,
                        provider.id(),
                        provider.created(),
                        provider.updated(),
                        provider.platformId(),
                        provider.vendor(),
                        provider.displayName(),
                        provider.config(),
                        provider.sealedAuth(),
                        provider.enabledForChat(),
                        provider.scope().kind(),
                        Values.texts(provider.scope().modelIds()))
                .mapEmpty();
    }

    /** Inserts the row of the platform's own credits, unless it exists. */
    Future<Void> insertCredits(Tx tx, String id, String platformId, Instant now, Buffer sealedAuth) {
        var vendor = AiVendor.ACTIVEPIECES;
        return tx.query(LOCK_NAMES, platformId)
                .compose(_ -> tx.query(INSERT_CREDITS, id, now, platformId, vendor, vendor.title(), sealedAuth))
                .mapEmpty();
    }

    Future<List<AiProvider>> all(Tx tx, String platformId) {
        return tx.query(ALL, platformId).map(PROVIDERS::all);
    }

    Future<Optional<AiProvider>> find(Tx tx, String id, String platformId) {
        return tx.query(FIND, id, platformId).map(PROVIDERS::first);
    }

    Future<Optional<AiProvider>> findNewest(Tx tx, String platformId, AiVendor vendor) {
        return tx.query(NEWEST, platformId, vendor).map(PROVIDERS::first);
    }

    Future<Optional<AiProvider>> findForChat(Tx tx, String platformId) {
        return tx.query(FOR_CHAT, platformId).map(PROVIDERS::first);
    }

    /** Locks the platform's providers until the transaction ends. */
    Future<Void> lock(Tx tx, String platformId) {
        return tx.query(LOCK, platformId).mapEmpty();
    }

    /** True when another provider of the vendor has the name. Locks the names until the transaction ends. */
    Future<Boolean> isTaken(Tx tx, AiProvider provider) {
        return tx.query(LOCK_NAMES, provider.platformId())
                .compose(_ -> tx.query(
                        TAKEN, provider.platformId(), provider.vendor(), provider.id(), provider.displayName()))
                .map(rows -> rows.size() > 0);
    }

    Future<Void> disableOthers(Tx tx, String platformId, String id, Instant now) {
        return tx.query(DISABLE_OTHERS, platformId, id, now).mapEmpty();
    }

    Future<Void> update(Tx tx, AiProvider provider) {
        return tx.query(
                        UPDATE,
                        provider.id(),
                        provider.updated(),
                        provider.displayName(),
                        provider.config(),
                        provider.sealedAuth(),
                        provider.enabledForChat(),
                        provider.scope().kind(),
                        Values.texts(provider.scope().modelIds()))
                .mapEmpty();
    }

    Future<Boolean> delete(Tx tx, String id, String platformId) {
        return tx.query(DELETE, id, platformId).map(rows -> rows.rowCount() > 0);
    }
}
