package io.millrace.account.identity.provisioning;

import io.millrace.account.identity.UserStatus;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

final class DirectoryStore {
    private static final String SELECT = """
            select u.id, u.created, u.updated, coalesce(u.user_name, i.email) as user_name, i.email, i.first_name,
                   i.last_name, u.status = 'ACTIVE' as is_active, u.external_id, u.platform_role as role
              from platform_user u
              join user_identity i on i.id = u.identity_id
            """;

    private static final RowMapper<DirectoryUser> USERS = RowMapper.of(DirectoryUser.class, SELECT);

    private static final String MATCHING = """
             where u.platform_id = $1
               and ($2::text is null or lower(coalesce(u.user_name, i.email)) = lower($2))
               and ($3::text is null or u.external_id = $3)
            """;

    private static final String LIST = SELECT + MATCHING + " order by u.created, u.id offset $4 limit $5";

    private static final String COUNT = """
            select count(*) from platform_user u join user_identity i on i.id = u.identity_id
            """ + MATCHING;

    private static final String FIND = SELECT + " where u.platform_id = $1 and u.id = $2";

    private static final String FIND_TO_CHANGE = FIND + " for update of u, i";

    private static final String NAME_USER = "update platform_user set user_name = $2 where id = $1";

    private static final String UPDATE_USER = """
            update platform_user
               set updated = $2, platform_role = $3, status = $4, external_id = $5, user_name = $6
             where id = $1
            """;

    private static final String UPDATE_IDENTITY = """
            update user_identity i
               set updated = $2, email = $3, first_name = $4, last_name = $5
              from platform_user u
             where u.id = $1
               and i.id = u.identity_id
               and not exists (select from platform_user other where other.identity_id = i.id and other.id <> u.id)
            """;

    private static final String IS_ELSEWHERE = """
            select exists (select
                             from platform_user u
                             join platform_user other on other.identity_id = u.identity_id and other.id <> u.id
                            where u.id = $1) as is_elsewhere
            """;

    /** Filter of users; empty fields match all. */
    record Match(String platformId, Optional<String> userName, Optional<String> externalId) {}

    Future<List<DirectoryUser>> list(Tx tx, Match match, int offset, int limit) {
        return tx.query(LIST, match.platformId(), match.userName(), match.externalId(), offset, limit)
                .map(USERS::all);
    }

    Future<Integer> count(Tx tx, Match match) {
        return tx.query(COUNT, match.platformId(), match.userName(), match.externalId())
                .map(rows -> Math.toIntExact(Rows.whole(rows.iterator().next(), "count")));
    }

    Future<Optional<DirectoryUser>> find(Tx tx, String platformId, String userId) {
        return tx.query(FIND, platformId, userId).map(USERS::first);
    }

    /** Locks the rows against lost updates. */
    Future<Optional<DirectoryUser>> findToChange(Tx tx, String platformId, String userId) {
        return tx.query(FIND_TO_CHANGE, platformId, userId).map(USERS::first);
    }

    Future<Void> name(Tx tx, String userId, String userName) {
        return tx.query(NAME_USER, userId, userName).mapEmpty();
    }

    Future<Void> update(Tx tx, String userId, DirectoryPerson person, Instant now) {
        return tx.query(
                        UPDATE_USER,
                        userId,
                        now,
                        person.role(),
                        person.isActive() ? UserStatus.ACTIVE : UserStatus.INACTIVE,
                        person.externalId(),
                        person.userName())
                .compose(_ ->
                        tx.query(UPDATE_IDENTITY, userId, now, person.email(), person.firstName(), person.lastName()))
                .mapEmpty();
    }

    Future<Boolean> isElsewhere(Tx tx, String userId) {
        return tx.query(IS_ELSEWHERE, userId)
                .map(rows -> Rows.flag(rows.iterator().next(), "is_elsewhere"));
    }
}
