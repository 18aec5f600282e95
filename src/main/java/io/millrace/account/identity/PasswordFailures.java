package io.millrace.account.identity;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;

/**
 * Counts wrong passwords per e-mail address: a limit per client address alone does not hold against a guesser with many
 * addresses. Addresses without an account are counted too, so that an answer does not reveal whether there is one; rows
 * contain only a hash of the address.
 */
public final class PasswordFailures {
    private static final Duration WINDOW = Duration.ofHours(1);

    private static final String FIND = """
            select failures, window_end from password_failure where subject = $1 and window_end > $2
            """;

    private static final RowMapper<HourOfFailures> COUNTS = RowMapper.of(HourOfFailures.class, FIND);

    private static final String ADD = """
            insert into password_failure as f (subject, failures, window_end) values ($1, 1, $3)
                on conflict (subject) do update
               set failures = case when f.window_end > $2 then f.failures + 1 else 1 end,
                   window_end = case when f.window_end > $2 then f.window_end else excluded.window_end end
            """;

    private static final String FORGET = """
            delete from password_failure
             where subject in (
                   select subject from password_failure where window_end <= $1 limit 100 for update skip locked)
            """;

    private static final String CLEAR = "delete from password_failure where subject = $1";

    private record HourOfFailures(int failures, Instant windowEnd) {}

    /** Fails with TOO_MANY_REQUESTS when the address has reached the limit within the current hour. */
    public Future<Void> refuseExhausted(Tx tx, String email, int failuresMax, Instant now) {
        return tx.query(FIND, subject(email), now).map(rows -> {
            COUNTS.first(rows)
                    .filter(counted -> counted.failures() >= failuresMax)
                    .ifPresent(counted -> {
                        throw ApiException.of(ErrorCode.TOO_MANY_REQUESTS, refusal(counted, now));
                    });
            return null;
        });
    }

    private static String refusal(HourOfFailures counted, Instant now) {
        var minutes = Duration.between(now, counted.windowEnd()).plusSeconds(59).toMinutes();
        return "Too many wrong passwords, retry in " + minutes + " minutes or reset the password";
    }

    public Future<Void> add(Tx tx, String email, Instant now) {
        return tx.query(FORGET, now)
                .compose(_ -> tx.query(ADD, subject(email), now, now.plus(WINDOW)))
                .mapEmpty();
    }

    /** Called after the correct password, and after the password was changed. */
    public Future<Void> clear(Tx tx, String email) {
        return tx.query(CLEAR, subject(email)).mapEmpty();
    }

    private static String subject(String email) {
        return Hashes.sha256Hex(email);
    }
}
