package io.millrace.base.net;

import io.vertx.circuitbreaker.CircuitBreaker;
import io.vertx.circuitbreaker.CircuitBreakerOptions;
import io.vertx.circuitbreaker.CircuitBreakerState;
import io.vertx.circuitbreaker.FailurePolicy;
import io.vertx.circuitbreaker.OpenCircuitException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Circuit breakers, one for each name: after repeated failures a target is not called for a while; then one call may try.
 * Thread-safe.
 */
public final class Breakers {
    private static final int NAMES_MAX = 1000;

    /** A failure is forgotten at the next success, or after this. The library counts it in whole seconds. */
    private static final Duration FAILURES_REMEMBERED = Duration.ofMinutes(5);

    private final Vertx vertx;
    private final CircuitBreakerOptions options;
    private final Predicate<Throwable> counts;
    private final LinkedHashMap<String, CircuitBreaker> breakers = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param failuresMax tolerated failures in a row
     * @param pause time without calls after that
     * @param counts failures that mean an unreachable target; any other one is an answer
     */
    public Breakers(Vertx vertx, int failuresMax, Duration pause, Predicate<Throwable> counts) {
        this.vertx = vertx;
        this.counts = counts;
        this.options = new CircuitBreakerOptions()
                .setMaxFailures(failuresMax)
                .setFailuresRollingWindow(FAILURES_REMEMBERED.toMillis())
                .setResetTimeout(pause.toMillis())
                // The called client has its own deadline, which is more precise.
                .setTimeout(-1)
                .setNotificationAddress(null);
    }

    /**
     * Performs a call, unless the breaker of this name is open.
     *
     * @return fails with the failure of the call, or with one that {@link #isLeftAlone} recognizes
     */
    public <T> Future<T> call(String name, Supplier<Future<T>> call) {
        return breaker(name).execute(call);
    }

    /** Returns true if a call failed because its breaker is open. */
    public static boolean isLeftAlone(Throwable failure) {
        return failure instanceof OpenCircuitException;
    }

    public synchronized int leftAlone() {
        return (int) breakers.values().stream()
                .filter(breaker -> breaker.state() == CircuitBreakerState.OPEN)
                .count();
    }

    private synchronized CircuitBreaker breaker(String name) {
        var breaker = breakers.computeIfAbsent(name, this::fresh);
        if (breakers.size() > NAMES_MAX) {
            breakers.pollFirstEntry().getValue().close();
        }
        return breaker;
    }

    private CircuitBreaker fresh(String name) {
        FailurePolicy<Object> policy = done -> done.failed() && counts.test(done.cause());
        return CircuitBreaker.create(name, vertx, options).failurePolicy(policy);
    }
}
