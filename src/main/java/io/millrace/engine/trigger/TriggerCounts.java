package io.millrace.engine.trigger;

import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts how calls of hooks ended, by project, piece and day (contract flows-and-engine 18.9). Counted in memory, on any
 * thread, because every webhook is one; {@link TriggerVerticle} saves the counts every few seconds.
 */
public final class TriggerCounts {
    /** Maximum number of counters that are buffered while they cannot be saved; further keys are not counted. */
    private static final int COUNTS_MAX = 100_000;

    private final InstantSource clock;
    private final Map<Key, Long> counts = new ConcurrentHashMap<>();

    public TriggerCounts(InstantSource clock) {
        this.clock = clock;
    }

    record Key(String projectId, String pieceName, LocalDate day, TriggerRunStatus status) {}

    void count(String projectId, String pieceName, TriggerRunStatus status) {
        var day = clock.instant().atOffset(ZoneOffset.UTC).toLocalDate();
        var key = new Key(projectId, pieceName, day, status);
        if (counts.size() < COUNTS_MAX || counts.containsKey(key)) {
            counts.merge(key, 1L, Long::sum);
        }
    }

    Map<Key, Long> take() {
        var taken = new HashMap<Key, Long>();
        for (var key : List.copyOf(counts.keySet())) {
            var count = counts.remove(key);
            if (count != null) {
                taken.put(key, count);
            }
        }
        return taken;
    }

    void putBack(Map<Key, Long> unsaved) {
        unsaved.forEach((key, count) -> counts.merge(key, count, Long::sum));
    }
}
