package io.millrace.engine.run.waitpoint;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * What failed lately and is left alone for a while, longer each time, so that it does not take the place of what comes
 * behind it. Of too many, those that fail least are forgotten. Not thread safe: lives on one event loop.
 */
final class Postponed {
    private static final int KEPT_MAX = 10_000;
    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final int DOUBLED_MAX = 8;

    /** Several times the longest pause: what has not failed again by then begins with the shortest one. */
    private static final Duration KEPT_FOR = Duration.ofHours(1);

    private final InstantSource clock;
    private final Cache<String, Failure> failures;

    private record Failure(int times, Instant until) {}

    Postponed(InstantSource clock) {
        this.clock = clock;
        this.failures =
                Caches.living("run.postponed", KEPT_MAX, KEPT_FOR, clock).build();
    }

    void failed(String id) {
        var known = failures.getIfPresent(id);
        var times = known == null ? 1 : known.times() + 1;
        var pause = FIRST.multipliedBy(1L << Math.min(times - 1, DOUBLED_MAX));
        failures.put(id, new Failure(times, clock.instant().plus(pause)));
    }

    void succeeded(String id) {
        failures.invalidate(id);
    }

    /** What is to be left alone now. */
    Collection<String> ids() {
        var all = failures.asMap();
        if (all.isEmpty()) {
            return List.of();
        }
        var now = clock.instant();
        return all.entrySet().stream()
                .filter(failure -> failure.getValue().until().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }
}
