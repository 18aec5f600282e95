package io.millrace.net;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Leaves others alone who keep failing: after some failures in a row they are not called for a while; then one call may
 * try. One breaker for each name; thread-safe.
 */
public final class Breakers {
    private static final int NAMES_MAX = 1000;

    private final InstantSource clock;
    private final int failuresMax;
    private final Duration pause;
    private final Map<String, Breaker> breakers = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Breaker> eldest) {
            return size() > NAMES_MAX;
        }
    };

    /** @param closedUntil null while calls are allowed */
    private record Breaker(int failures, Instant closedUntil) {}

    /**
     * @param failuresMax failures in a row that are borne
     * @param pause how long nothing is called afterwards
     */
    public Breakers(InstantSource clock, int failuresMax, Duration pause) {
        this.clock = clock;
        this.failuresMax = failuresMax;
        this.pause = pause;
    }

    /** Whether a call may be made now. After a pause one caller is told yes, and the others when it went well. */
    public synchronized boolean allows(String name) {
        var breaker = breakers.get(name);
        if (breaker == null || breaker.closedUntil() == null) {
            return true;
        }
        var now = clock.instant();
        if (now.isBefore(breaker.closedUntil())) {
            return false;
        }
        breakers.put(name, new Breaker(breaker.failures(), now.plus(pause)));
        return true;
    }

    /** A call brought an answer that decides something. */
    public synchronized void succeeded(String name) {
        breakers.remove(name);
    }

    /** A call brought nothing. */
    public synchronized void failed(String name) {
        var earlier = breakers.get(name);
        var failures = earlier == null ? 1 : earlier.failures() + 1;
        breakers.put(
                name,
                new Breaker(failures, failures >= failuresMax ? clock.instant().plus(pause) : null));
    }
}
