package io.millrace.account.identity.apikey;

import io.millrace.base.access.KeyScopes;
import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.Values;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
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

    private static final String DELETE = """
            delete from api_key where id = $1 and platform_id = $2
            """;

    private static final String FIND_HOLDER = """
            select k.id, k.platform_id, p.owner_id, k.scopes, k.expires_at, k.last_used_at
              from api_key k
              join platform p on p.id = k.platform_id
             where k.hashed_value = $1
            """;

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
        return tx.query(LIST, platformId).map(rows -> Rows.all(rows, ApiKeyStore::keyOf));
    }

    Future<Boolean> delete(Tx tx, String id, String platformId) {
        return tx.query(DELETE, id, platformId).map(rows -> rows.rowCount() > 0);
    }

    public Future<Optional<Holder>> findHolder(Tx tx, String hashedValue) {
        return tx.query(FIND_HOLDER, hashedValue).map(rows -> Rows.first(rows, ApiKeyStore::holderOf));
    }

    /** Records a use, unless one was recorded after {@code before}. */
    public Future<Void> touch(Tx tx, String id, Instant now, Instant before) {
        return tx.query(TOUCH, id, now, before).mapEmpty();
    }

    private static Holder holderOf(Row row) {
        return new Holder(
                new Principal.Service(
                        Rows.text(row, "id"), Rows.text(row, "platform_id"), Rows.text(row, "owner_id"), scopesOf(row)),
                Rows.optionalInstant(row, "expires_at").orElse(null),
                Rows.optionalInstant(row, "last_used_at").orElse(null));
    }

    private static KeyScopes scopesOf(Row row) {
        return new KeyScopes(Set.copyOf(Rows.texts(row, "scopes")));
    }

    private static ApiKey keyOf(Row row) {
        return new ApiKey(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.instant(row, "updated"),
                Rows.text(row, "platform_id"),
                Rows.text(row, "display_name"),
                Rows.text(row, "truncated_value"),
                scopesOf(row),
                Rows.optionalInstant(row, "expires_at").orElse(null),
                Rows.optionalInstant(row, "last_used_at").orElse(null));
    }
}
