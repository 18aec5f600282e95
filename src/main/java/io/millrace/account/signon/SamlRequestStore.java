package io.millrace.account.signon;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;

final class SamlRequestStore {
    private static final String FORGET = "delete from saml_request where expires <= $1";

    private static final String INSERT = "insert into saml_request (id, platform_id, expires) values ($1, $2, $3)";

    private static final String ANSWER = """
            delete from saml_request where id = $1 and platform_id = $2 and expires > $3
            """;

    /** Stores a request, and deletes expired ones. */
    Future<Void> insert(Tx tx, String id, String platformId, Instant expires, Instant now) {
        return tx.query(FORGET, now)
                .compose(_ -> tx.query(INSERT, id, platformId, expires))
                .mapEmpty();
    }

    /** True when the request is pending; consumes it. */
    Future<Boolean> answer(Tx tx, String id, String platformId, Instant now) {
        return tx.query(ANSWER, id, platformId, now).map(rows -> rows.rowCount() > 0);
    }
}
