package io.millrace.base.persistence;

import io.millrace.base.core.ApiException;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Retries an operation of the database with backoff while the database is unavailable.
 *
 * <p>Records the result of an effect that has already happened outside the process (a tool call, a rotated token, a sent
 * message): such an effect must not be performed again, or its result lost, because one write failed. The operation must be
 * safe to repeat, by a fence or by {@code on conflict do nothing}, because an attempt without an answer may have been
 * committed.
 */
public final class OutageRetry {
    /** Patience without an end: until the verticle is undeployed, which cancels its timers. */
    public static final Duration UNLIMITED = Duration.ofMillis(Long.MAX_VALUE);

    /** Patience of a write whose caller waits: shorter than the deadline of a request. */
    public static final Duration OF_CALLERS = Duration.ofSeconds(20);

    private static final long PAUSE_MS = 50;
    private static final long PAUSE_MS_MAX = 2_000;

    private final LongFunction<Future<Void>> timer;
    private final Predicate<Throwable> isPassing;

    /** @param timer completes after the given number of milliseconds, on the caller's event loop */
    public OutageRetry(LongFunction<Future<Void>> timer) {
        this(timer, OutageRetry::isOutage);
    }

    private OutageRetry(LongFunction<Future<Void>> timer, Predicate<Throwable> isPassing) {
        this.timer = timer;
        this.isPassing = isPassing;
    }

    /** Repeats after every failure: for an operation that the server cannot work without. */
    public static OutageRetry ofEveryFailure(LongFunction<Future<Void>> timer) {
        return new OutageRetry(timer, _ -> true);
    }

    /**
     * Performs the operation until it succeeds, fails for another reason than an outage, or is abandoned.
     *
     * @param patience total duration of the pauses after which the last failure is the result
     * @param isAbandoned true when the result is no longer needed; the last failure is the result then
     */
    public <T> Future<T> perform(Duration patience, BooleanSupplier isAbandoned, Supplier<Future<T>> operation) {
        return attempt(patience.toMillis(), PAUSE_MS, isAbandoned, operation);
    }

    private <T> Future<T> attempt(
            long patienceMs, long pauseMs, BooleanSupplier isAbandoned, Supplier<Future<T>> operation) {
        return Future.<T>future(promise -> operation.get().onComplete(promise))
                .recover(failure -> patienceMs <= 0 || !isPassing.test(failure) || isAbandoned.getAsBoolean()
                        ? Future.failedFuture(failure)
                        : timer.apply(Math.min(pauseMs, patienceMs))
                                .compose(_ -> isAbandoned.getAsBoolean()
                                        ? Future.failedFuture(failure)
                                        : attempt(
                                                patienceMs - pauseMs,
                                                Math.min(2 * pauseMs, PAUSE_MS_MAX),
                                                isAbandoned,
                                                operation)));
    }

    private static boolean isOutage(Throwable failure) {
        return ApiException.isUnavailable(failure) || DatabaseFailure.isPassing(failure);
    }
}
