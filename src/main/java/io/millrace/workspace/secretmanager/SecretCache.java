package io.millrace.workspace.secretmanager;

import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What was fetched of managers, until it is too old, or the manager was changed or told to be fresh on whatever node. Those who
 * ask meanwhile share one answer; a failure is not kept. For one thread.
 */
final class SecretCache<T> {
    private static final int KEPT_MAX = 10_000;

    private final Duration keptFor;
    private final InstantSource clock;
    private final Map<Key, Kept<T>> kept = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Kept<T>> eldest) {
            return size() > KEPT_MAX;
        }
    };

    private record Key(String managerId, String path) {}

    private record Kept<T>(Instant freshFrom, Instant until, Future<T> answer) {}

    SecretCache(Duration keptFor, InstantSource clock) {
        this.keptFor = keptFor;
        this.clock = clock;
    }

    Future<T> of(SecretManager manager, String path, Supplier<Future<T>> ask) {
        var key = new Key(manager.id(), path);
        var known = kept.get(key);
        var now = clock.instant();
        if (known != null && known.freshFrom().equals(manager.freshFrom()) && now.isBefore(known.until())) {
            return known.answer();
        }
        var fresh = new Kept<>(manager.freshFrom(), now.plus(keptFor), ask.get());
        kept.put(key, fresh);
        return fresh.answer().onFailure(_ -> kept.remove(key, fresh));
    }
}
