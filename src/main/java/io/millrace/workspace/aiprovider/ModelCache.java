package io.millrace.workspace.aiprovider;

import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Models of providers, kept until midnight (UTC) or until the provider is changed, on whatever node (contract admin-api 28.2).
 * Those who ask meanwhile share one answer; a failure is not kept. For one thread.
 */
final class ModelCache {
    private static final int KEPT_MAX = 500;

    private final InstantSource clock;
    private final Map<String, Kept> kept = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kept> eldest) {
            return size() > KEPT_MAX;
        }
    };

    private record Kept(Instant updated, LocalDate day, Future<List<AiModel>> models) {}

    ModelCache(InstantSource clock) {
        this.clock = clock;
    }

    Future<List<AiModel>> of(AiProvider provider, Supplier<Future<List<AiModel>>> ask) {
        var today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        var known = kept.get(provider.id());
        if (known != null
                && known.updated().equals(provider.updated())
                && known.day().equals(today)) {
            return known.models();
        }
        var fresh = new Kept(provider.updated(), today, ask.get());
        kept.put(provider.id(), fresh);
        return fresh.models().onFailure(_ -> kept.remove(provider.id(), fresh));
    }
}
