package io.millrace.base.secret;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategy;
import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Hashes and checks passwords with bcrypt (contract admin-api 1.14), on a small dedicated pool: a hash costs 0.1 s of
 * processor time, which would block an event loop or the shared workers.
 */
public final class Passwords {
    private static final int THREADS = 2;

    /** Queued hashes, some seconds of work; beyond it sign-ins are refused at once instead of late. */
    private static final int WAITING_MAX = 64;

    /** Salt and digest of {@link #unknownUserHash}. */
    private static final String UNKNOWN_USER = "Millrace.has.no.such.uuJ3xPq0dWm7rKcZ1nVbT5yGhLeSo8aE";

    private static final BCrypt.Version VERSION = BCrypt.Version.VERSION_2A;

    private final WorkerExecutor workers;
    private final LongPasswordStrategy longPasswords = LongPasswordStrategies.hashSha512(VERSION);
    private final AtomicInteger waiting = new AtomicInteger();
    private final int cost;
    private final int waitingMax;

    /** @param cost binary logarithm of the rounds of a new hash */
    public Passwords(Vertx vertx, int cost) {
        this(vertx, cost, WAITING_MAX);
    }

    Passwords(Vertx vertx, int cost, int waitingMax) {
        this.workers = WorkerThreads.open(vertx, "passwords", THREADS);
        this.cost = cost;
        this.waitingMax = waitingMax;
    }

    /** The bcrypt text of a password. Text beyond bcrypt's 72 bytes counts too: it is digested first. */
    public Future<String> hash(String password) {
        return bounded(() -> new String(
                BCrypt.with(VERSION, longPasswords).hash(cost, password.getBytes(StandardCharsets.UTF_8)),
                StandardCharsets.US_ASCII));
    }

    /**
     * Completes with true if the password matches the hash.
     *
     * @param hash empty when there is no such user: the answer is false, after the same work
     */
    public Future<Boolean> verify(String password, Optional<String> hash) {
        return bounded(() -> matches(password, hash.orElseGet(this::unknownUserHash)) && hash.isPresent());
    }

    /** Replaces the hash of a user who does not exist, so that both cases cost the same work. */
    String unknownUserHash() {
        return "$2a$%02d$%s".formatted(cost, UNKNOWN_USER);
    }

    private boolean matches(String password, String hash) {
        return BCrypt.verifyer(VERSION, longPasswords)
                .verify(password.getBytes(StandardCharsets.UTF_8), hash.getBytes(StandardCharsets.US_ASCII))
                .verified;
    }

    private <T> Future<T> bounded(Callable<T> work) {
        if (waiting.incrementAndGet() > waitingMax) {
            waiting.decrementAndGet();
            return Future.failedFuture(
                    ApiException.of(ErrorCode.TOO_MANY_REQUESTS, "Too many sign-ins at once; try again"));
        }
        return workers.executeBlocking(work, false).andThen(_ -> waiting.decrementAndGet());
    }
}
