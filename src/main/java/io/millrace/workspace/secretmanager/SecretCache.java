package io.millrace.workspace.secretmanager;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * Cache of values fetched from secret managers, until they expire or any node changes or refreshes the manager. Concurrent
 * callers share one call; a failure is not cached. Not thread-safe.
 */
final class SecretCache<T> {
    private static final int KEPT_MAX = 10_000;

    private final Cache<Key, CachedSecret<T>> kept;

    private record Key(String managerId, String path) {}

    private record CachedSecret<T>(Instant freshFrom, Future<T> answer) {}

    SecretCache(String name, Duration keptFor, InstantSource clock) {
        this.kept = Caches.living(name, KEPT_MAX, keptFor, clock).build();
    }

    Future<T> of(SecretManager manager, String path, Supplier<Future<T>> ask) {
        var key = new Key(manager.id(), path);
        var known = kept.getIfPresent(key);
        if (known != null && known.freshFrom().equals(manager.freshFrom())) {
            return known.answer();
        }
        var fresh = new CachedSecret<>(manager.freshFrom(), ask.get());
        kept.put(key, fresh);
        return fresh.answer().onFailure(_ -> kept.asMap().remove(key, fresh));
    }
}
