package io.millrace.account.identity.apikey;

import io.millrace.base.access.KeyScopes;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rows of {@code api_key}. A key is stored as its hash only. */
public final class ApiKeyStore {
    private static final String INSERT = """
            insert into api_key (id, created, updated, platform_id, display_name, hashed_value, truncated_value, scopes,
                                 expires_at)
            values ($1, $2, $2, $3, $4, $5, $6, $7, $8)
            """;

    private static final String LIST = """
            select id, created, updated, platform_id, display_name, truncated_value, scopes, expires_at, last_used_at
              from api_key
             where platform_id = $1
             order by created, id
            """;

    private static final RowMapper<ApiKey> KEYS =
            RowMapper.of(KeyRow.class, LIST).as(KeyRow::key);

    private static final String DELETE = """
            delete from api_key where id = $1 and platform_id = $2
            """;

    private static final String FIND_HOLDER = """
            select k.id as key_id, k.platform_id, p.owner_id, k.scopes, k.expires_at, k.last_used_at
              from api_key k
              join platform p on p.id = k.platform_id
             where k.hashed_value = $1
            """;

    private static final RowMapper<Holder> HOLDERS =
            RowMapper.of(HolderRow.class, FIND_HOLDER).as(HolderRow::holder);

    private static final String TOUCH = """
            update api_key
               set last_used_at = $2
             where id = $1
               and (last_used_at is null or last_used_at <= $3)
            """;

    /**
     * Principal of a key.
     *
     * @param expiresAt null when the key does not expire
     * @param lastUsedAt null until the first use
     */
    public record Holder(Principal.Service principal, Instant expiresAt, Instant lastUsedAt) {}

    private record HolderRow(
            String keyId,
            String platformId,
            String ownerId,
            List<String> scopes,
            @Nullable Instant expiresAt,
            @Nullable Instant lastUsedAt) {
        Holder holder() {
            return new Holder(
                    new Principal.Service(keyId, platformId, ownerId, new KeyScopes(Set.copyOf(scopes))),
                    expiresAt,
                    lastUsedAt);
        }
    }

    private record KeyRow(
            String id,
            Instant created,
            Instant updated,
            String platformId,
            String displayName,
            String truncatedValue,
            List<String> scopes,
            @Nullable Instant expiresAt,
            @Nullable Instant lastUsedAt) {
        ApiKey key() {
            return new ApiKey(
                    id,
                    created,
                    updated,
                    platformId,
                    displayName,
                    truncatedValue,
                    new KeyScopes(Set.copyOf(scopes)),
                    expiresAt,
                    lastUsedAt);
        }
    }

    Future<Void> insert(Tx tx, ApiKey key, String hashedValue) {
        return tx.query(
                        INSERT,
                        key.id(),
                        key.created(),
                        key.platformId(),
                        key.displayName(),
                        hashedValue,
                        key.truncatedValue(),
                        Values.texts(key.scopes().words().stream().sorted().toList()),
                        key.expiresAt())
                .mapEmpty();
    }

    Future<List<ApiKey>> list(Tx tx, String platformId) {
        return tx.query(LIST, platformId).map(KEYS::all);
    }

    Future<Boolean> delete(Tx tx, String id, String platformId) {
        return tx.query(DELETE, id, platformId).map(rows -> rows.rowCount() > 0);
    }

    public Future<Optional<Holder>> findHolder(Tx tx, String hashedValue) {
        return tx.query(FIND_HOLDER, hashedValue).map(HOLDERS::first);
    }

    /** Records a use, unless one was recorded after {@code before}. */
    public Future<Void> touch(Tx tx, String id, Instant now, Instant before) {
        return tx.query(TOUCH, id, now, before).mapEmpty();
    }
}
