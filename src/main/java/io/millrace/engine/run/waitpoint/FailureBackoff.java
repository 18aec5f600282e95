package io.millrace.engine.run.waitpoint;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.ApiException;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backoff for items that failed recently: each failure doubles the pause, so that failing items do not block the items
 * after them. Over capacity, the items with the fewest failures are dropped. Not thread-safe: confined to one event
 * loop.
 */
final class FailureBackoff {
    private static final Logger LOG = LoggerFactory.getLogger(FailureBackoff.class);

    private static final int KEPT_MAX = 10_000;
    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final int DOUBLED_MAX = 8;

    /** Several times the longest pause: an item without a failure in that time starts again with the shortest one. */
    private static final Duration KEPT_FOR = Duration.ofHours(1);

    private final InstantSource clock;
    private final Cache<String, Failure> failures;

    private record Failure(int times, Instant until) {}

    FailureBackoff(InstantSource clock) {
        this.clock = clock;
        this.failures =
                Caches.living("run.postponed", KEPT_MAX, KEPT_FOR, clock).build();
    }

    /**
     * Processes all items; a failing item is postponed and does not delay the items after it. While the database is
     * unavailable no item is postponed.
     *
     * @param runOf id of the item's run, for the log: the id of a waitpoint is a secret while it is pending
     */
    <T> Future<Void> each(
            List<T> items, Function<T, String> key, Function<T, String> runOf, Function<T, Future<Void>> work) {
        return Future.join(items.stream()
                        .map(item -> work.apply(item)
                                .onSuccess(_ -> succeeded(key.apply(item)))
                                .recover(failure -> ApiException.isUnavailable(failure)
                                        ? Future.failedFuture(failure)
                                        : postpone(key.apply(item), runOf.apply(item), failure)))
                        .toList())
                .mapEmpty();
    }

    private Future<Void> postpone(String key, String runId, Throwable failure) {
        LOG.warn("cannot resume run {} now, retrying: {}", runId, failure.getMessage());
        failed(key);
        return Future.succeededFuture();
    }

    void failed(String id) {
        var known = failures.getIfPresent(id);
        var times = known == null ? 1 : known.times() + 1;
        var pause = FIRST.multipliedBy(1L << Math.min(times - 1, DOUBLED_MAX));
        failures.put(id, new Failure(times, clock.instant().plus(pause)));
    }

    void succeeded(String id) {
        failures.invalidate(id);
    }

    Collection<String> ids() {
        var all = failures.asMap();
        if (all.isEmpty()) {
            return List.of();
        }
        var now = clock.instant();
        return all.entrySet().stream()
                .filter(failure -> failure.getValue().until().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }
}
