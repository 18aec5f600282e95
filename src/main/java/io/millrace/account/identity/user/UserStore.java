package io.millrace.account.identity.user;

import io.millrace.account.identity.User;
import io.millrace.account.identity.UserRowStore;
import io.millrace.account.identity.UserView;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.WhereClause;
import io.vertx.core.Future;
import java.util.Optional;

final class UserStore {
    private static final String SELECT =
            "select " + UserRowStore.VIEW + " from platform_user u join user_identity i on i.id = u.identity_id\n";

    private static final RowMapper<UserView> VIEWS = RowMapper.of(UserView.class, SELECT);

    private static final String FIND = SELECT + " where u.platform_id = $1 and u.id = $2";

    private static final String FIND_TO_CHANGE = FIND + " for update of u";

    private static final String FIND_BY_EMAIL = SELECT + " where u.platform_id = $1 and i.email = $2";

    private static final String UPDATE = """
            update platform_user set updated = $2, platform_role = $3, status = $4, external_id = $5 where id = $1
            """;

    private static final String DELETE = "delete from platform_user where id = $1";

    /** Deletes an identity without users: it could not sign in, but would prevent a new invitation of the address. */
    private static final String DELETE_IDENTITY = """
            delete from user_identity i
             where i.id = $1
               and not exists (select from platform_user u where u.identity_id = i.id)
            """;

    Future<Page<UserView>> page(Tx tx, String platformId, Optional<String> externalId, PageRequest page) {
        var conditions = new WhereClause(SELECT + " where true")
                .and("u.platform_id = %s", platformId)
                .and("u.external_id = %s", externalId);
        return tx.page(
                conditions.sql(),
                Paging.newestFirst().on("u.created", "u.id"),
                page,
                VIEWS,
                view -> new PageKey(view.user().created(), view.user().id()),
                conditions.values());
    }

    Future<Optional<UserView>> find(Tx tx, String platformId, String userId) {
        return tx.query(FIND, platformId, userId).map(VIEWS::first);
    }

    /** Locks the row against lost updates. */
    Future<Optional<UserView>> findToChange(Tx tx, String platformId, String userId) {
        return tx.query(FIND_TO_CHANGE, platformId, userId).map(VIEWS::first);
    }

    Future<Optional<UserView>> findByEmail(Tx tx, String platformId, String email) {
        return tx.query(FIND_BY_EMAIL, platformId, email).map(VIEWS::first);
    }

    Future<Void> update(Tx tx, User user) {
        return tx.query(UPDATE, user.id(), user.updated(), user.role(), user.status(), user.externalId())
                .mapEmpty();
    }

    Future<Void> delete(Tx tx, User user) {
        return tx.query(DELETE, user.id())
                .compose(_ -> tx.query(DELETE_IDENTITY, user.identityId()))
                .mapEmpty();
    }
}
