package io.millrace.integration.issue;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

final class FailureCount {
    private final SortedMap<LocalDate, Long> days = new TreeMap<>();
    private final CauseKey key;
    private RecordedFailure newest;
    private Instant first;

    private FailureCount(CauseKey key, RecordedFailure failure) {
        this.key = key;
        this.newest = failure;
        this.first = failure.failed();
    }

    /**
     * Groups failures, in the order of their keys, in which transactions of all nodes lock the issues.
     *
     * @param known issues that exist, or may be created; other failures are counted together
     */
    static List<FailureCount> of(Collection<RecordedFailure> failures, Set<CauseKey> known) {
        var counts = new TreeMap<CauseKey, FailureCount>();
        for (var failure : failures) {
            var own = failure.key();
            var key = known.contains(own) ? own : CauseKey.others(failure.flowId());
            counts.computeIfAbsent(key, _ -> new FailureCount(key, failure)).add(failure);
        }
        return List.copyOf(counts.values());
    }

    private void add(RecordedFailure failure) {
        days.merge(LocalDate.ofInstant(failure.failed(), ZoneOffset.UTC), 1L, Long::sum);
        if (!failure.failed().isBefore(newest.failed())) {
            newest = failure;
        }
        if (failure.failed().isBefore(first)) {
            first = failure.failed();
        }
    }

    CauseKey key() {
        return key;
    }

    RecordedFailure newest() {
        return newest;
    }

    Instant first() {
        return first;
    }

    long occurrences() {
        return days.values().stream().mapToLong(Long::longValue).sum();
    }

    SortedMap<LocalDate, Long> days() {
        return days;
    }
}
