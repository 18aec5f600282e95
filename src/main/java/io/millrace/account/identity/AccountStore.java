package io.millrace.account.identity;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

/** Rows of {@code user_identity} and {@code platform_user}, which are read together. */
public final class AccountStore {
    /** Key of the advisory lock: any number that no other lock uses. */
    private static final long SIGN_UP_LOCK = 0x6d696c6c72616365L;

    private static final String LOCK = "select pg_advisory_xact_lock($1)";

    private static final String INSERT_IDENTITY = """
            insert into user_identity (id, created, updated, email, password_hash, first_name, last_name, provider,
                                       verified, track_events, news_letter, token_version)
            values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """;

    private static final String UPDATE_IDENTITY = """
            update user_identity
               set updated = $2, password_hash = $3, first_name = $4, last_name = $5, verified = $6, token_version = $7
             where id = $1
            """;

    private static final String INSERT_USER = """
            insert into platform_user (id, created, updated, identity_id, platform_id, platform_role, status,
                                       external_id, last_active_date)
            values ($1, $2, $2, $3, $4, $5, $6, $7, $8)
            """;

    private static final String MARK_ACTIVE = """
            update platform_user set last_active_date = $2 where id = $1
            """;

    private static final String COLUMNS = """
            select i.id as identity_id, i.created as identity_created, i.email as identity_email,
                   i.password_hash as identity_password_hash, i.first_name as identity_first_name,
                   i.last_name as identity_last_name, i.provider as identity_provider,
                   i.verified as identity_verified, i.track_events as identity_track_events,
                   i.news_letter as identity_news_letter, i.token_version as identity_token_version,
            """ + UserRowStore.USER + " from user_identity i\n";

    private static final String FIND_BY_EMAIL = COLUMNS + """
              left join platform_user u on u.identity_id = i.id and u.platform_id = $2
             where i.email = $1
            """;

    private static final RowMapper<Account> ACCOUNTS = RowMapper.of(Account.class, FIND_BY_EMAIL);

    private static final String FIND_BY_IDENTITY = COLUMNS + """
              left join platform_user u on u.identity_id = i.id and u.platform_id = $2
             where i.id = $1
            """;

    private static final String FIND_BY_EXTERNAL_ID = COLUMNS + """
              join platform_user u on u.identity_id = i.id
             where u.platform_id = $1 and u.external_id = $2
            """;

    private static final String SHOW_IMAGE = "update user_identity set image_url = $2 where id = $1";

    private static final String FIND_BY_USER = COLUMNS + """
              join platform_user u on u.identity_id = i.id
             where u.id = $1
            """;

    /** Serializes sign-ups until the transaction ends. */
    public Future<Void> lockSignUps(Tx tx) {
        return tx.query(LOCK, SIGN_UP_LOCK).mapEmpty();
    }

    public Future<Void> insert(Tx tx, UserIdentity identity) {
        return tx.query(
                        INSERT_IDENTITY,
                        identity.id(),
                        identity.created(),
                        identity.email(),
                        identity.passwordHash(),
                        identity.firstName(),
                        identity.lastName(),
                        identity.provider(),
                        identity.verified(),
                        identity.trackEvents(),
                        identity.newsLetter(),
                        identity.tokenVersion())
                .mapEmpty();
    }

    public Future<Void> update(Tx tx, UserIdentity identity, Instant now) {
        return tx.query(
                        UPDATE_IDENTITY,
                        identity.id(),
                        now,
                        identity.passwordHash(),
                        identity.firstName(),
                        identity.lastName(),
                        identity.verified(),
                        identity.tokenVersion())
                .mapEmpty();
    }

    public Future<UserIdentity> prove(Tx tx, UserIdentity identity, Instant now) {
        if (identity.verified()) {
            return Future.succeededFuture(identity);
        }
        var proved = identity.verifiedNow();
        return update(tx, proved, now).map(proved);
    }

    public Future<Void> insert(Tx tx, User user) {
        return tx.query(
                        INSERT_USER,
                        user.id(),
                        user.created(),
                        user.identityId(),
                        user.platformId(),
                        user.role(),
                        user.status(),
                        user.externalId(),
                        user.lastActiveDate())
                .mapEmpty();
    }

    public Future<Void> markActive(Tx tx, String userId, Instant now) {
        return tx.query(MARK_ACTIVE, userId, now).mapEmpty();
    }

    /**
     * The person with this address, with the user on this platform if there is one.
     *
     * @param platformId null before there is a platform
     */
    public Future<Optional<Account>> find(Tx tx, String email, String platformId) {
        return tx.query(FIND_BY_EMAIL, email, platformId).map(ACCOUNTS::first);
    }

    /** The person, with the user on this platform if there is one; null for no platform. */
    public Future<Optional<Account>> findByIdentity(Tx tx, String identityId, String platformId) {
        return tx.query(FIND_BY_IDENTITY, identityId, platformId).map(ACCOUNTS::first);
    }

    public Future<Optional<Account>> findByExternalId(Tx tx, String platformId, String externalId) {
        return tx.query(FIND_BY_EXTERNAL_ID, platformId, externalId).map(ACCOUNTS::first);
    }

    public Future<Void> showImage(Tx tx, String identityId, String imageUrl) {
        return tx.query(SHOW_IMAGE, identityId, imageUrl).mapEmpty();
    }

    public Future<Optional<Account>> findByUser(Tx tx, String userId) {
        return tx.query(FIND_BY_USER, userId).map(ACCOUNTS::first);
    }
}
