package io.millrace.workspace.authorizationserver;

import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of {@code mcp_grant}. Reads the users of the identity module below and never writes them. */
final class GrantStore {
    private static final String INSERT = """
            insert into mcp_grant (id, created, client_id, user_id, platform_id, project_id, resource, redirect_uri,
                                   code_challenge, code_hash, expires, token_version)
            select $1, $2, $3, u.id, $5, $6, $7, $8, $9, $10, $11, i.token_version
              from platform_user u
              join user_identity i on i.id = u.identity_id
             where u.id = $4
            """;

    private static final String COLUMNS = """
            g.id, g.created, g.client_id, g.user_id, g.platform_id, g.project_id, g.resource, g.redirect_uri,
            g.code_challenge, g.code_hash, g.refresh_hash is not null as is_used, g.expires, g.revoked as is_revoked
            """;

    /** Holder of a grant. No tokens are issued after the holder leaves, is deactivated or has all sessions ended. */
    private static final String HOLDER = """
              join platform_user u on u.id = g.user_id and u.status = 'ACTIVE'
              join user_identity i on i.id = u.identity_id and i.verified
                                  and i.token_version is not distinct from g.token_version
            """;

    private static final String FIND_BY_CODE =
            "select " + COLUMNS + " from mcp_grant g " + HOLDER + " where g.code_hash = $1 for update of g";

    private static final RowMapper<Grant> GRANTS = RowMapper.of(Grant.class, FIND_BY_CODE);

    /** A grant of before its first rotation is found by the hash of the whole token only. */
    private static final String FIND_FAMILY =
            "select " + COLUMNS + """
            , g.refresh_hash as valid_hash, g.spent_hash as predecessor_hash, g.spent as predecessor_spent,
            g.successor_salt as predecessor_salt
              from mcp_grant g
            """ + HOLDER + " where g.refresh_hash = $1 or g.refresh_family = $2 for update of g";

    private static final RowMapper<RefreshFamily> FAMILIES = RowMapper.of(RefreshFamily.class, FIND_FAMILY);

    private static final String EXCHANGE = """
            update mcp_grant
               set refresh_hash = $2, refresh_family = $3, expires = $4, resource = coalesce(resource, $5)
             where id = $1
            """;

    private static final String ROTATE = """
            update mcp_grant
               set spent_hash = refresh_hash, spent = $2, successor_salt = $3, refresh_hash = $4, refresh_family = $5
             where id = $1
            """;

    private static final String REVOKE = "update mcp_grant set revoked = true where id = $1";

    private static final String REVOKE_BY_REFRESH_TOKEN = """
            update mcp_grant set revoked = true where (refresh_hash = $1 or refresh_family = $2) and client_id = $3
            """;

    private static final String DELETE_EXPIRED = "delete from mcp_grant where expires < $1";

    private static final String FIND_HOLDER = """
            select u.id, u.platform_id, u.platform_role
              from mcp_grant g
            """ + HOLDER + " where g.id = $1 and not g.revoked";

    private static final RowMapper<Principal> HOLDERS =
            RowMapper.of(HolderRow.class, FIND_HOLDER).as(HolderRow::principal);

    private record HolderRow(String id, String platformId, PlatformRole platformRole) {
        Principal principal() {
            return new Principal.SignedInUser(id, platformId, platformRole);
        }
    }

    private static final String IS_LIVING = " not g.revoked and g.refresh_hash is not null and g.expires > $3";

    private static final String LIVING = """
            select g.id, g.created, g.expires, g.client_id, c.name as client_name, g.redirect_uri, g.user_id,
                   i.email as user_email, g.project_id
              from mcp_grant g
              join mcp_client c on c.id = g.client_id
            """ + HOLDER + """
             where g.platform_id = $1 and ($2::text is null or g.user_id = $2) and
            """ + IS_LIVING + " order by g.created desc, g.id limit 1000";

    private static final RowMapper<ActiveGrant> LIVING_GRANTS = RowMapper.of(ActiveGrant.class, LIVING);

    private static final String END =
            "update mcp_grant g set revoked = true where g.platform_id = $1 and ($2::text is null or g.user_id = $2) and"
                    + IS_LIVING + " and g.id = $4";

    private static final String IS_EMBEDDED = """
            select exists (select
                             from platform_user u
                             join user_identity i on i.id = u.identity_id
                            where u.id = $1
                              and i.provider = 'JWT') as is_embedded
            """;

    Future<Void> insert(Tx tx, Grant grant) {
        return tx.query(
                        INSERT,
                        grant.id(),
                        grant.created(),
                        grant.clientId(),
                        grant.userId(),
                        grant.platformId(),
                        grant.projectId(),
                        grant.resource(),
                        grant.redirectUri(),
                        grant.codeChallenge(),
                        grant.codeHash(),
                        grant.expires())
                .mapEmpty();
    }

    /** Locks the row: a code is exchanged once. */
    Future<Optional<Grant>> findByCode(Tx tx, String codeHash) {
        return tx.query(FIND_BY_CODE, codeHash).map(GRANTS::first);
    }

    /** Locks the row: a refresh token is rotated once. */
    Future<Optional<RefreshFamily>> findFamily(Tx tx, RefreshToken token) {
        return tx.query(FIND_FAMILY, token.hash(), token.familyHash()).map(FAMILIES::first);
    }

    Future<Void> exchange(Tx tx, String id, RefreshToken first, Instant expires, String resource) {
        return tx.query(EXCHANGE, id, first.hash(), first.familyHash(), expires, resource)
                .mapEmpty();
    }

    Future<Void> rotate(Tx tx, String id, RefreshToken successor, String salt, Instant now) {
        return tx.query(ROTATE, id, now, salt, successor.hash(), successor.familyHash())
                .mapEmpty();
    }

    Future<Void> revoke(Tx tx, String id) {
        return tx.query(REVOKE, id).mapEmpty();
    }

    /** Revokes the grant of a refresh token, also of one that was spent. */
    Future<Void> revokeByRefreshToken(Tx tx, RefreshToken token, String clientId) {
        return tx.query(REVOKE_BY_REFRESH_TOKEN, token.hash(), token.familyHash(), clientId)
                .mapEmpty();
    }

    Future<Void> deleteExpired(Tx tx, Instant before) {
        return tx.query(DELETE_EXPIRED, before).mapEmpty();
    }

    /** The user who gave a grant that was not revoked. */
    Future<Optional<Principal>> findHolder(Tx tx, String id) {
        return tx.query(FIND_HOLDER, id).map(HOLDERS::first);
    }

    /** True when the user can sign in only through a customer's embedding application. */
    Future<Boolean> isEmbedded(Tx tx, String userId) {
        return tx.query(IS_EMBEDDED, userId)
                .map(rows -> Rows.flag(rows.iterator().next(), "is_embedded"));
    }

    /** @param userId holder; null for all holders */
    Future<List<ActiveGrant>> living(Tx tx, String platformId, String userId, Instant now) {
        return tx.query(LIVING, platformId, userId, now).map(LIVING_GRANTS::all);
    }

    /**
     * True when such a consent existed.
     *
     * @param userId required holder; null for any holder
     */
    Future<Boolean> end(Tx tx, String platformId, String userId, String id, Instant now) {
        return tx.query(END, platformId, userId, now, id).map(rows -> rows.rowCount() > 0);
    }
}
