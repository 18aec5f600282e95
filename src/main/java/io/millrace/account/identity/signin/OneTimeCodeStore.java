package io.millrace.account.identity.signin;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Rows of {@code one_time_code}. A code is sealed and not hashed: the pending one is sent again, and a hash of six digits is
 * easily reversed.
 */
final class OneTimeCodeStore {
    enum Purpose {
        SIGN_IN,
        EMAIL_VERIFICATION,
        PASSWORD_RESET
    }

    /** Inserts the row if it is missing, and locks it until the transaction ends: a code works once. */
    private static final String HOLD = """
            insert into one_time_code (purpose, subject, expires, failures, letters, wrong, window_end)
            values ($1, $2, $3, 0, 0, 0, $3)
                on conflict (purpose, subject) do update set subject = excluded.subject
            returning sealed_code, expires, failures, letters, wrong, window_end
            """;

    private static final String FIND = """
            select sealed_code, expires, failures, letters, wrong, window_end
              from one_time_code where purpose = $1 and subject = $2
            """;

    private static final RowMapper<CodeRow> CODES = RowMapper.of(CodeRow.class, FIND);

    private static final String HOLD_PRESENT = FIND + " for update";

    private static final String UPDATE = """
            update one_time_code
               set sealed_code = $3, expires = $4, failures = $5, letters = $6, wrong = $7, window_end = $8
             where purpose = $1 and subject = $2
            """;

    private static final String FORGET = """
            delete from one_time_code
             where (purpose, subject) in (
                   select purpose, subject from one_time_code
                    where expires < $1 and window_end < $1 limit 100 for update skip locked)
            """;

    private record CodeRow(
            Optional<Buffer> sealedCode, Instant expires, int failures, int letters, int wrong, Instant windowEnd) {}

    private final SecretBox box;

    OneTimeCodeStore(SecretBox box) {
        this.box = box;
    }

    /** A code to send, with its remaining validity; empty when a limit of mails or of wrong attempts is reached. */
    Future<Optional<OutgoingCode>> issue(
            Tx tx, Purpose purpose, String subject, Instant now, Duration validity, Supplier<String> fresh) {
        return tx.query(FORGET, now)
                .compose(_ -> tx.query(HOLD, purpose, subject, now))
                .map(rows -> read(CODES.only(rows), purpose, subject))
                .map(kept -> kept.asked(now, validity, fresh))
                .compose(asked -> asked.map(
                                next -> save(tx, purpose, subject, next).map(Optional.of(issued(next, now))))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())));
    }

    /**
     * A code to send.
     *
     * @param minutes remaining validity, rounded up
     */
    record OutgoingCode(String code, long minutes) {
        @Override
        public String toString() {
            return "OutgoingCode[]";
        }
    }

    private static OutgoingCode issued(OneTimeCode code, Instant now) {
        var left = Duration.between(now, code.expires());
        return new OutgoingCode(
                code.code().orElseThrow(), Math.max(1, left.plusSeconds(59).toMinutes()));
    }

    /** True when a code would be accepted now, without counting the attempt; {@link #use} counts it. */
    Future<Boolean> isGood(Tx tx, Purpose purpose, String subject, String tried, Instant now) {
        return tx.query(FIND, purpose, subject)
                .map(rows -> CODES.first(rows)
                        .map(row -> read(row, purpose, subject))
                        .filter(kept -> kept.matches(tried, now))
                        .isPresent());
    }

    /**
     * Verifies a code and records the attempt; returns true for the correct code. The transaction must commit after a wrong
     * one too.
     */
    Future<Boolean> use(Tx tx, Purpose purpose, String subject, String tried, Instant now) {
        return tx.query(HOLD_PRESENT, purpose, subject)
                .map(rows -> CODES.first(rows).map(row -> read(row, purpose, subject)))
                .compose(found -> {
                    if (found.isEmpty()) {
                        return Future.succeededFuture(false);
                    }
                    var kept = found.get();
                    var right = kept.matches(tried, now);
                    return save(tx, purpose, subject, right ? kept.used() : kept.failed(now))
                            .map(right);
                });
    }

    private Future<Void> save(Tx tx, Purpose purpose, String subject, OneTimeCode code) {
        var sealed = code.code()
                .map(text -> Buffer.buffer(box.seal(text.getBytes(StandardCharsets.UTF_8), place(purpose, subject))));
        return tx.query(
                        UPDATE,
                        purpose,
                        subject,
                        sealed,
                        code.expires(),
                        code.failures(),
                        code.letters(),
                        code.wrong(),
                        code.windowEnd())
                .mapEmpty();
    }

    private OneTimeCode read(CodeRow row, Purpose purpose, String subject) {
        var code = row.sealedCode()
                .map(bytes -> new String(box.open(bytes.getBytes(), place(purpose, subject)), StandardCharsets.UTF_8));
        return new OneTimeCode(code, row.expires(), row.failures(), row.letters(), row.wrong(), row.windowEnd());
    }

    /** Context that binds a sealed code to its row. */
    private static String place(Purpose purpose, String subject) {
        return "one_time_code:" + purpose + ":" + subject;
    }
}
