package io.millrace.engine.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What failed lately and is left alone for a while, longer each time, so that it does not take the place of what comes
 * behind it. Of too many the oldest are forgotten. Not thread safe: lives on one event loop.
 */
final class Postponed {
    private static final int KEPT_MAX = 10_000;
    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final int DOUBLED_MAX = 8;

    private final InstantSource clock;
    private final Map<String, Failure> failures = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failure> eldest) {
            return size() > KEPT_MAX;
        }
    };

    private record Failure(int times, Instant until) {}

    Postponed(InstantSource clock) {
        this.clock = clock;
    }

    void failed(String id) {
        var times = failures.containsKey(id) ? failures.get(id).times() + 1 : 1;
        var pause = FIRST.multipliedBy(1L << Math.min(times - 1, DOUBLED_MAX));
        failures.put(id, new Failure(times, clock.instant().plus(pause)));
    }

    void succeeded(String id) {
        failures.remove(id);
    }

    /** What is to be left alone now. */
    Collection<String> ids() {
        if (failures.isEmpty()) {
            return List.of();
        }
        var now = clock.instant();
        return failures.entrySet().stream()
                .filter(failure -> failure.getValue().until().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }
}
