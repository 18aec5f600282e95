package io.millrace.workspace.aiprovider;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Expiry;
import io.millrace.base.cache.Caches;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Supplier;

/**
 * Caches models of providers until midnight (UTC) or until any node changes the provider (contract admin-api 28.2).
 * Concurrent callers share one call to the vendor; a failure is not cached. Not thread-safe.
 */
final class ModelCache {
    private static final int KEPT_MAX = 500;

    private final InstantSource clock;
    private final Cache<String, CachedModels> kept;

    private record CachedModels(Instant updated, Future<List<AiModel>> models) {}

    ModelCache(InstantSource clock) {
        this.clock = clock;
        this.kept = Caches.of("aiprovider.models", KEPT_MAX)
                .ticker(Caches.ticker(clock))
                .expireAfter(Expiry.<String, CachedModels>writing((_, _) -> untilMidnight()))
                .build();
    }

    Future<List<AiModel>> of(AiProvider provider, Supplier<Future<List<AiModel>>> ask) {
        var known = kept.getIfPresent(provider.id());
        if (known != null && known.updated().equals(provider.updated())) {
            return known.models();
        }
        var fresh = new CachedModels(provider.updated(), ask.get());
        kept.put(provider.id(), fresh);
        return fresh.models().onFailure(_ -> kept.asMap().remove(provider.id(), fresh));
    }

    private Duration untilMidnight() {
        var now = clock.instant();
        var today = now.atOffset(ZoneOffset.UTC).toLocalDate();
        return Duration.between(now, today.plusDays(1).atStartOfDay(ZoneOffset.UTC));
    }
}
