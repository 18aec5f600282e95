package io.millrace.base.cache;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

/**
 * Makes caches. Each has a name, a bound and a time to live; hits, misses and evictions of all caches of one name are counted
 * together. A cache performs its maintenance on the calling thread, so that one event loop can own it.
 */
public final class Caches {
    private Caches() {}

    /**
     * A cache whose entries expire some time after they were written.
     *
     * @param name of its statistics
     * @param entriesMax size beyond which the least used entries are evicted
     * @param clock clock of the time to live
     */
    public static Caffeine<Object, Object> living(
            String name, long entriesMax, Duration timeToLive, InstantSource clock) {
        return of(name, entriesMax).expireAfterWrite(timeToLive).ticker(ticker(clock));
    }

    /** As {@link #living(String, long, Duration, InstantSource)}, with a time to live in elapsed time. */
    public static Caffeine<Object, Object> living(String name, long entriesMax, Duration timeToLive) {
        return of(name, entriesMax).expireAfterWrite(timeToLive);
    }

    public static Caffeine<Object, Object> of(String name, long entriesMax) {
        return counted(name).maximumSize(entriesMax);
    }

    /** A cache whose bound and expiry the caller sets. */
    public static Caffeine<Object, Object> counted(String name) {
        return Caffeine.newBuilder().executor(Runnable::run).recordStats(() -> new CacheCounts(name));
    }

    public static Ticker ticker(InstantSource clock) {
        return () -> {
            var now = clock.instant();
            return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
        };
    }
}
