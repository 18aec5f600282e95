package io.millrace.account.identity.signin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * State of the codes mailed to one address for one purpose (contract admin-api 32.6, 32.7). Immutable.
 *
 * <p>A code allows five wrong attempts. So that a new code does not reset this limit, the attempts of an hour are limited
 * too, as is the number of mails.
 *
 * @param code empty when none is pending
 * @param failures wrong attempts at the pending code
 * @param letters number of mails in the window
 * @param wrong wrong attempts in the window
 */
record OneTimeCode(Optional<String> code, Instant expires, int failures, int letters, int wrong, Instant windowEnd) {
    static final int FAILURES_MAX = 5;
    static final int LETTERS_MAX = 10;
    static final int WRONG_MAX = 25;
    static final Duration WINDOW = Duration.ofHours(1);

    static OneTimeCode none(Instant now) {
        return new OneTimeCode(Optional.empty(), now, 0, 0, 0, now);
    }

    /**
     * State with the code to send, the pending one or a new one; empty when a limit of mails or of wrong attempts is reached.
     */
    Optional<OneTimeCode> asked(Instant now, Duration validity, Supplier<String> fresh) {
        var current = inWindow(now);
        if (current.letters >= LETTERS_MAX || current.wrong >= WRONG_MAX) {
            return Optional.empty();
        }
        var pending = isPending(now);
        return Optional.of(new OneTimeCode(
                pending ? code : Optional.of(fresh.get()),
                pending ? expires : now.plus(validity),
                pending ? failures : 0,
                current.letters + 1,
                current.wrong,
                current.windowEnd));
    }

    /** True for the pending code. Runs in constant time for texts of the same length. */
    boolean matches(String tried, Instant now) {
        return isPending(now)
                && MessageDigest.isEqual(
                        code.orElseThrow().getBytes(StandardCharsets.UTF_8), tried.getBytes(StandardCharsets.UTF_8));
    }

    /** State after a correct attempt: a code works once. */
    OneTimeCode used() {
        return without();
    }

    /** State after a wrong attempt; the fifth discards the code. */
    OneTimeCode failed(Instant now) {
        var current = inWindow(now);
        if (!isPending(now)) {
            return current.without();
        }
        return new OneTimeCode(
                failures + 1 < FAILURES_MAX ? code : Optional.empty(),
                expires,
                failures + 1,
                current.letters,
                current.wrong + 1,
                current.windowEnd);
    }

    private boolean isPending(Instant now) {
        return code.isPresent() && now.isBefore(expires);
    }

    private OneTimeCode inWindow(Instant now) {
        return now.isBefore(windowEnd) ? this : new OneTimeCode(code, expires, failures, 0, 0, now.plus(WINDOW));
    }

    private OneTimeCode without() {
        return new OneTimeCode(Optional.empty(), expires, 0, letters, wrong, windowEnd);
    }

    @Override
    public String toString() {
        return "OneTimeCode[]";
    }
}
