package io.millrace.workspace.connection.credential;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Sealed values of {@code app_connection}, and the claims to renew them. Claims are timed by the database, whose clock all
 * nodes share.
 */
public final class SealedValueStore {
    /** The renewal of a token that a piece issues has its own column: earlier releases cannot renew it. */
    private static final String COLUMNS = """
            c.id, c.external_id, c.platform_id, c.project_id, c.piece_name, c.piece_version, c.type, c.status,
            c.sealed_value as value,
            case c.type when 'CUSTOM_AUTH' then c.piece_token_due else c.refresh_due end as refresh_due
            """;

    /** A project's own connection sorts after a global one of the same name, and so overrides it. */
    private static final String FIND_FOR_PROJECT = "select " + COLUMNS + """
              from app_connection c
             where c.external_id = any ($2)
               and (c.project_id = $1
                    or exists (select from global_connection_project g
                                where g.connection_id = c.id and g.project_id = $1))
             order by c.scope
            """;

    private static final String FIND = "select " + COLUMNS + " from app_connection c where c.id = $1";

    private static final RowMapper<SealedConnection> SEALED = RowMapper.of(SealedConnection.class, FIND);

    /**
     * Condition that a row still has a value. A rotation of the encryption key replaces the stored bytes of a value, but not
     * their content.
     */
    private static final String HAS_CONTENT = " and substring(sealed_value from " + SecretBox.CONTENT_FROM + ") = $2";

    /** Succeeds when no other node holds a claim, or when that claim has expired. */
    private static final String CLAIM = """
            update app_connection c
               set refresh_claim = $3, refresh_claimed = now()
             where c.id = $1
               and (c.refresh_claim is null or c.refresh_claim = $3 or c.refresh_claimed < now() - interval '60 seconds')
            """ + HAS_CONTENT + " returning c.id";

    private static final String RENEW = """
            update app_connection
               set updated = $3, sealed_value = $4, status = 'ACTIVE', refresh_claim = null, refresh_claimed = null,
                   refresh_due = case when type <> 'CUSTOM_AUTH' then $5::timestamptz end,
                   piece_token_due = case when type = 'CUSTOM_AUTH' then $5::timestamptz end
             where id = $1
            """ + HAS_CONTENT;

    private static final String FAIL = """
            update app_connection
               set updated = $3, status = 'ERROR', refresh_claim = null, refresh_claimed = null
             where id = $1 and refresh_claim = $2
            """;

    private static final String GIVE_UP = """
            update app_connection set refresh_claim = null, refresh_claimed = null where id = $1 and refresh_claim = $2
            """;

    public Future<List<SealedConnection>> findForProject(Tx tx, String projectId, Set<String> externalIds) {
        return tx.query(FIND_FOR_PROJECT, projectId, Values.texts(externalIds)).map(SEALED::all);
    }

    public Future<Optional<SealedConnection>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(SEALED::first);
    }

    /** Claims the renewal of this version of a value; false when another node has claimed or renewed it. */
    Future<Boolean> claim(Tx tx, SealedConnection connection, String claim) {
        return tx.query(CLAIM, connection.id(), content(connection.value()), claim)
                .map(rows -> rows.rowCount() > 0);
    }

    /** Writes the renewed value; false when another value was saved meanwhile. */
    Future<Boolean> renew(Tx tx, String id, Buffer before, Instant now, Buffer sealed, Optional<Instant> refreshDue) {
        return tx.query(RENEW, id, content(before), now, sealed, refreshDue).map(rows -> rows.rowCount() > 0);
    }

    private static Buffer content(Buffer sealed) {
        return Buffer.buffer(SecretBox.content(sealed.getBytes()));
    }

    Future<Void> fail(Tx tx, String id, String claim, Instant now) {
        return tx.query(FAIL, id, claim, now).mapEmpty();
    }

    Future<Void> giveUp(Tx tx, String id, String claim) {
        return tx.query(GIVE_UP, id, claim).mapEmpty();
    }
}
