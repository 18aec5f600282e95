package io.millrace.base.cache;

import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import com.github.benmanes.caffeine.cache.stats.StatsCounter;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Metrics;
import java.util.function.Supplier;

/**
 * Counts what happens to the caches of one name. A counter is registered when it has something to count: a start makes
 * many caches and asks none of them for long.
 */
final class CacheCounts implements StatsCounter {
    private final LazyCounter hits;
    private final LazyCounter misses;
    private final LazyCounter evictions;

    CacheCounts(String name) {
        hits = new LazyCounter(() -> gets(name, "hit"));
        misses = new LazyCounter(() -> gets(name, "miss"));
        evictions = new LazyCounter(() -> Counter.builder("cache.evictions")
                .description("Entries that were forgotten because they were too many or too old.")
                .tag("cache", name)
                .register(Metrics.globalRegistry));
    }

    private static Counter gets(String name, String result) {
        return Counter.builder("cache.gets")
                .description("Look-ups in a cache.")
                .tags("cache", name, "result", result)
                .register(Metrics.globalRegistry);
    }

    /** The registry answers everybody who registers it twice with the same counter. */
    private static final class LazyCounter {
        private final Supplier<Counter> register;
        private volatile Counter counter;

        LazyCounter(Supplier<Counter> register) {
            this.register = register;
        }

        void add(int count) {
            var known = counter;
            if (known == null) {
                known = register.get();
                counter = known;
            }
            known.increment(count);
        }
    }

    @Override
    public void recordHits(int count) {
        hits.add(count);
    }

    @Override
    public void recordMisses(int count) {
        misses.add(count);
    }

    @Override
    public void recordEviction(int weight, RemovalCause cause) {
        evictions.add(1);
    }

    /** What a cache loads by itself, whoever is asked for it measures. */
    @Override
    public void recordLoadSuccess(long nanos) {}

    @Override
    public void recordLoadFailure(long nanos) {}

    /** Told by the registry alone. */
    @Override
    public CacheStats snapshot() {
        return CacheStats.empty();
    }
}
