package io.millrace.base.persistence;

import io.millrace.base.metrics.EventCounter;
import io.millrace.base.metrics.FixedHistogram;
import io.millrace.base.metrics.MeterSet;
import io.millrace.base.metrics.ServerMeter;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/** Measures the flushes of a {@link GroupCommit}: number of items and duration. Thread-safe. */
public final class FlushMeters {
    private final FixedHistogram durations;
    private final FixedHistogram sizes;
    private final EventCounter failures;

    public FlushMeters(MeterSet meters) {
        durations = meters.durations(ServerMeter.COMMIT_DURATION);
        sizes = meters.counts(ServerMeter.COMMIT_SIZE);
        failures = meters.counter(ServerMeter.COMMIT_FAILURES);
    }

    public <T, R> Function<List<T>, Future<List<R>>> around(Function<List<T>, Future<List<R>>> flush) {
        return items -> {
            var begun = System.nanoTime();
            sizes.record(items.size());
            return flush.apply(items).onComplete(done -> {
                durations.record(System.nanoTime() - begun);
                if (done.failed()) {
                    failures.increment();
                }
            });
        };
    }
}
