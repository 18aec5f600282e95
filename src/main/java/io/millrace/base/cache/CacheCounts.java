package io.millrace.base.cache;

import com.github.benmanes.caffeine.cache.RemovalCause;
import com.github.benmanes.caffeine.cache.stats.CacheStats;
import com.github.benmanes.caffeine.cache.stats.StatsCounter;
import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.ServerMeter;
import io.millrace.base.metrics.ServerRegistry;

/**
 * Statistics of a cache, shared by all caches of its name, for the servers that count at the first event: a start makes many
 * caches and uses few of them. A cache is never counted if no server counts then.
 */
final class CacheCounts implements StatsCounter {
    private final String name;
    private volatile Counters[] known;

    CacheCounts(String name) {
        this.name = name;
    }

    private record Counters(EventCounter hits, EventCounter misses, EventCounter evictions) {}

    @Override
    public void recordHits(int count) {
        for (var counters : counters()) {
            counters.hits.add(count);
        }
    }

    @Override
    public void recordMisses(int count) {
        for (var counters : counters()) {
            counters.misses.add(count);
        }
    }

    @Override
    public void recordEviction(int weight, RemovalCause cause) {
        for (var counters : counters()) {
            counters.evictions.increment();
        }
    }

    /** A server returns the same counters for repeated requests. */
    private Counters[] counters() {
        var counters = known;
        if (counters == null) {
            counters = ServerRegistry.counting().stream()
                    .map(meters -> new Counters(
                            meters.counter(ServerMeter.CACHE_GETS, name, "hit"),
                            meters.counter(ServerMeter.CACHE_GETS, name, "miss"),
                            meters.counter(ServerMeter.CACHE_EVICTIONS, name)))
                    .toArray(Counters[]::new);
            known = counters;
        }
        return counters;
    }

    /** Not counted here: loads are measured by the component that serves them. */
    @Override
    public void recordLoadSuccess(long nanos) {}

    @Override
    public void recordLoadFailure(long nanos) {}

    /** Empty: the counts are in the metrics of the servers. */
    @Override
    public CacheStats snapshot() {
        return CacheStats.empty();
    }
}
