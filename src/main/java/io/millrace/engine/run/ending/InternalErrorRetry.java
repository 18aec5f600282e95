package io.millrace.engine.run.ending;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Automatic retries of runs of a shard that ended by a fault of the server: three times, with growing pauses (contract
 * flows-and-engine 16.4). Counts are in memory only: after a restart only users retry such a run, so a fault that kills
 * the process is not repeated without limit.
 */
public final class InternalErrorRetry {
    /** Time limit of a retry: a run that was not retried by then is not retried. */
    public static final Duration SETTLED_AFTER = Duration.ofMinutes(1);

    private static final int RETRIES_MAX = 3;
    private static final long FIRST_PAUSE_MS = 2_000;
    private static final int KEPT_MAX = 10_000;

    /** Period after which the retries of a run are counted from zero again. */
    private static final Duration KEPT_FOR = Duration.ofDays(1);

    private final Cache<String, Integer> retries =
            Caches.living("run.internal-error-retries", KEPT_MAX, KEPT_FOR).build();

    /** Backoff before the run's next retry; empty when its retries are exhausted. */
    OptionalLong broke(String runId) {
        var known = retries.getIfPresent(runId);
        var before = known == null ? 0 : known;
        if (before == RETRIES_MAX) {
            retries.invalidate(runId);
            return OptionalLong.empty();
        }
        retries.put(runId, before + 1);
        return OptionalLong.of(FIRST_PAUSE_MS << (2 * before));
    }

    /** The run has ended without a fault of the server. */
    void mended(String runId) {
        retries.invalidate(runId);
    }
}
