package io.millrace.engine.run.admission;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.millrace.base.cache.Caches;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Limits that have been looked up, by whose they are. What is older than a minute is looked up again behind the first who
 * asks, who goes on with what is known: no run waits for that, and none is refused because of it. Not thread safe: lives
 * on one event loop.
 */
final class KnownLimits<T> {
    private static final int KEPT_MAX = 10_000;

    /** For a change that nobody told this node of. */
    private static final Duration LOOK_AGAIN_AFTER = Duration.ofMinutes(1);

    private final Function<String, Future<T>> look;
    private final LoadingCache<String, Future<T>> known;

    KnownLimits(Function<String, Future<T>> look) {
        this(look, Ticker.systemTicker());
    }

    KnownLimits(Function<String, Future<T>> look, Ticker ticker) {
        this.look = look;
        this.known = Caches.of("run.limits", KEPT_MAX)
                .ticker(ticker)
                .refreshAfterWrite(LOOK_AGAIN_AFTER)
                .build(new Looking<>(look));
    }

    /** A look that fails leaves what is known. */
    private record Looking<T>(Function<String, Future<T>> look) implements CacheLoader<String, Future<T>> {
        @Override
        public Future<T> load(String id) {
            return look.apply(id);
        }

        @Override
        public CompletableFuture<Future<T>> asyncReload(String id, Future<T> known, Executor executor) {
            return look.apply(id)
                    .map(Future::succeededFuture)
                    .otherwise(known)
                    .toCompletionStage()
                    .toCompletableFuture();
        }
    }

    /**
     * Does something with the limits of an owner: at once when they are known.
     *
     * @param refused called when they cannot be found out: nothing begins as if there were none
     */
    void whenKnown(String id, Consumer<Throwable> refused, Consumer<T> action) {
        var found = known.getIfPresent(id);
        if (found == null || found.failed()) {
            found = look.apply(id);
            known.put(id, found);
        }
        if (found.succeeded()) {
            action.accept(found.result());
        } else {
            found.onSuccess(action::accept).onFailure(refused::accept);
        }
    }

    /** Those who are known by now. */
    Set<String> ids() {
        return Set.copyOf(known.asMap().keySet());
    }

    /** What is known of an owner, or null. */
    T get(String id) {
        var found = known.getIfPresent(id);
        return found == null ? null : found.result();
    }

    /** New limits take effect at once, for those who wait already too. */
    void lookAgain(String id, Consumer<T> changed) {
        if (known.asMap().containsKey(id)) {
            var found = look.apply(id);
            known.put(id, found);
            found.onSuccess(changed::accept);
        }
    }

    void forget(String id) {
        known.invalidate(id);
    }
}
