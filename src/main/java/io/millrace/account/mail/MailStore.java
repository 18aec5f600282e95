package io.millrace.account.mail;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Rows of {@code mail}: mails that no mail server has accepted yet. */
final class MailStore {
    private static final String INSERT = """
            insert into mail (id, created, platform_id, sealed_content, attempts, due, expires)
            values ($1, $2, $3, $4, 0, $2, $5)
            """;

    /** A claim expires: after a crash of its holder the mail is claimed again. */
    private static final String CLAIM = """
            update mail set due = $2, attempts = attempts + 1
             where id in (
                   select id from mail where due <= $1 and expires > $1 order by due limit $3 for update skip locked)
            returning id, sealed_content, attempts
            """;

    private static final RowMapper<QueuedMail> MAILS = RowMapper.of(QueuedMail.class, CLAIM);

    private static final String POSTPONE = "update mail set due = $2, failure = $3 where id = $1";

    private static final String FORGET = "delete from mail where expires <= $1";

    record QueuedMail(String id, Buffer sealedContent, int attempts) {}

    Future<Void> insert(
            Tx tx, String id, Optional<String> platformId, Buffer sealedContent, Instant now, Instant expires) {
        return tx.query(INSERT, id, now, platformId, sealedContent, expires).mapEmpty();
    }

    Future<List<QueuedMail>> claim(Tx tx, Instant now, Instant until, int limit) {
        return tx.query(CLAIM, now, until, limit).map(MAILS::all);
    }

    Future<Void> delete(Tx tx, String id) {
        return tx.query("delete from mail where id = $1", id).mapEmpty();
    }

    Future<Void> postpone(Tx tx, String id, Optional<Instant> again, String failure) {
        return tx.query(POSTPONE, id, again, failure).mapEmpty();
    }

    /** Deletes expired mails, including those that were given up; returns their number. */
    Future<Integer> forget(Tx tx, Instant now) {
        return tx.query(FORGET, now).map(rows -> rows.rowCount());
    }
}
