package io.millrace.identity;

import io.millrace.access.PlatformRole;
import io.millrace.persistence.Rows;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.util.Optional;

/** Rows of {@code user_identity} and {@code platform_user}, which are read together. */
final class AccountStore {
    /** Any number will do, as long as nobody else locks the same one. */
    private static final long SIGN_UP_LOCK = 0x6d696c6c72616365L;

    private static final String LOCK = "select pg_advisory_xact_lock($1)";

    private static final String INSERT_IDENTITY = """
            insert into user_identity (id, created, updated, email, password_hash, first_name, last_name, provider,
                                       verified, track_events, news_letter, token_version)
            values ($1, $2, $2, $3, $4, $5, $6, 'EMAIL', $7, $8, $9, $10)
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
            select i.id as identity_id, i.created as identity_created, i.email, i.password_hash, i.first_name,
                   i.last_name, i.verified, i.track_events, i.news_letter, i.token_version, u.id as user_id,
                   u.created, u.updated, u.platform_id, u.platform_role, u.status, u.external_id, u.last_active_date
              from user_identity i
            """;

    private static final String FIND_BY_EMAIL = COLUMNS + """
              left join platform_user u on u.identity_id = i.id and u.platform_id = $2
             where i.email = $1
            """;

    private static final String FIND_BY_USER = COLUMNS + """
              join platform_user u on u.identity_id = i.id
             where u.id = $1
            """;

    /** Until the transaction ends, nobody else signs up. */
    Future<Void> lockSignUps(Tx tx) {
        return tx.query(LOCK, SIGN_UP_LOCK).mapEmpty();
    }

    Future<Void> insert(Tx tx, UserIdentity identity, User user) {
        return tx.query(
                        INSERT_IDENTITY,
                        identity.id(),
                        identity.created(),
                        identity.email(),
                        identity.passwordHash(),
                        identity.firstName(),
                        identity.lastName(),
                        identity.verified(),
                        identity.trackEvents(),
                        identity.newsLetter(),
                        identity.tokenVersion())
                .compose(_ -> insert(tx, user));
    }

    private static Future<Void> insert(Tx tx, User user) {
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

    Future<Void> markActive(Tx tx, String userId, Instant now) {
        return tx.query(MARK_ACTIVE, userId, now).mapEmpty();
    }

    /** The person with this address, with the user on this platform if there is one. */
    Future<Optional<Account>> find(Tx tx, String email, String platformId) {
        return tx.query(FIND_BY_EMAIL, email, platformId).map(rows -> Rows.first(rows, AccountStore::accountOf));
    }

    Future<Optional<Account>> findByUser(Tx tx, String userId) {
        return tx.query(FIND_BY_USER, userId).map(rows -> Rows.first(rows, AccountStore::accountOf));
    }

    private static Account accountOf(Row row) {
        return new Account(identityOf(row), Rows.optionalText(row, "user_id").map(_ -> userOf(row)));
    }

    private static UserIdentity identityOf(Row row) {
        return new UserIdentity(
                Rows.text(row, "identity_id"),
                Rows.instant(row, "identity_created"),
                Rows.text(row, "email"),
                Rows.text(row, "password_hash"),
                Rows.text(row, "first_name"),
                Rows.text(row, "last_name"),
                Rows.flag(row, "verified"),
                Rows.flag(row, "track_events"),
                Rows.flag(row, "news_letter"),
                Rows.optionalText(row, "token_version").orElse(null));
    }

    private static User userOf(Row row) {
        return new User(
                Rows.text(row, "user_id"),
                Rows.instant(row, "created"),
                Rows.instant(row, "updated"),
                Rows.text(row, "identity_id"),
                Rows.text(row, "platform_id"),
                Rows.option(row, "platform_role", PlatformRole.class),
                Rows.option(row, "status", UserStatus.class),
                Rows.optionalText(row, "external_id").orElse(null),
                Rows.optionalInstant(row, "last_active_date").orElse(null));
    }
}
