package io.millrace.base.idempotency;

import io.millrace.base.http.RequestKeys.Claim;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.SqlResult;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/** Table {@code request_key}. Leases and expiry follow the clock of the database. */
final class RequestKeyStore {
    private static final String CLAIM = """
            insert into request_key as k (id, caller, fingerprint, attempt, lease_until, expires)
            values ($1, $2, $3, $4, now() + $5::bigint * interval '1 millisecond', now() + $6::bigint * interval '1 millisecond')
            on conflict (id) do update
              set fingerprint = excluded.fingerprint, attempt = excluded.attempt, created = now(),
                lease_until = excluded.lease_until, expires = excluded.expires,
                status = null, content_type = null, sealed_answer = null, answer_bytes = 0
              where k.expires <= now()
            """;

    private static final String FIND = """
            select fingerprint, lease_until > now() as running, status, content_type, sealed_answer
              from request_key
             where id = $1
            """;

    private static final RowMapper<Row> ROWS = RowMapper.of(Row.class, FIND);

    private static final String USE = """
            select count(*) as keys, coalesce(sum(answer_bytes), 0)::bigint as bytes from request_key where caller = $1
            """;

    private static final RowMapper<Use> USES = RowMapper.of(Use.class, USE);

    private static final String DROP_OLDEST = """
            delete from request_key
             where id in (select id from request_key where caller = $1 and status is not null order by created limit $2)
            """;

    private static final String DROP_EXPIRED = """
            delete from request_key where id in (select id from request_key where expires <= now() limit $1)
            """;

    /**
     * Row of a key that is in use.
     *
     * @param running true while an attempt is being performed and there is no status
     * @param contentType none when the answer has no body
     * @param sealedAnswer none when the answer has no body, or was not kept
     */
    record Row(
            String fingerprint,
            boolean running,
            Optional<Integer> status,
            Optional<String> contentType,
            Optional<Buffer> sealedAnswer) {}

    /** Keys and bytes of answers that a caller has. */
    record Use(long keys, long bytes) {}

    /** True if the key was free or has expired. */
    Future<Boolean> claim(Tx tx, Claim claim, Duration lease, Duration kept) {
        return tx.query(
                        CLAIM,
                        claim.id(),
                        claim.caller(),
                        claim.fingerprint(),
                        claim.attempt(),
                        lease.toMillis(),
                        kept.toMillis())
                .map(rows -> rows.rowCount() == 1);
    }

    Future<Optional<Row>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(ROWS::first);
    }

    Future<Use> useOf(Tx tx, String caller) {
        return tx.query(USE, caller).map(USES::only);
    }

    Future<Void> dropOldest(Tx tx, String caller, long count) {
        return tx.query(DROP_OLDEST, caller, count).mapEmpty();
    }

    Future<Void> extend(Tx tx, Collection<String> attempts, Duration lease) {
        return tx.query(
                        "update request_key set lease_until = now() + $2::bigint * interval '1 millisecond'"
                                + " where attempt = any($1::text[]) and status is null",
                        (Object) attempts.toArray(String[]::new),
                        lease.toMillis())
                .mapEmpty();
    }

    Future<Void> keep(
            Tx tx, String id, String attempt, int status, String contentType, Optional<Buffer> answer, int bytes) {
        return tx.query(
                        "update request_key set status = $3, content_type = $4, sealed_answer = $5, answer_bytes = $6"
                                + " where id = $1 and attempt = $2",
                        id,
                        attempt,
                        status,
                        contentType,
                        answer,
                        bytes)
                .mapEmpty();
    }

    Future<Void> release(Tx tx, String id, String attempt) {
        return tx.query("delete from request_key where id = $1 and attempt = $2 and status is null", id, attempt)
                .mapEmpty();
    }

    Future<Integer> dropExpired(Tx tx, int countMax) {
        return tx.query(DROP_EXPIRED, countMax).map(SqlResult::rowCount);
    }
}
