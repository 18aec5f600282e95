package io.millrace.hostile;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts of response statuses, and the longest latency of a caller. */
final class AnswerCounts {
    /** Pseudo-status for a closed connection or a timeout. */
    static final int NONE = 0;

    private static final int SERVER_ERRORS = 500;

    /** Server errors that blame the request (501, 505) or ask for a retry. */
    private static final Set<Integer> HARMLESS = Set.of(501, 503, 505);

    private final Map<String, Map<Integer, Integer>> counts = new TreeMap<>();
    private final Map<String, Long> longestMs = new TreeMap<>();

    /** @param since begin of the wait, by {@link System#nanoTime} */
    synchronized void add(String caller, int status, long since) {
        counts.computeIfAbsent(caller, _ -> new TreeMap<>()).merge(status, 1, Integer::sum);
        longestMs.merge(caller, Duration.ofNanos(System.nanoTime() - since).toMillis(), Math::max);
    }

    /** Number of responses that report a broken server; always expected to be zero. */
    synchronized int broken() {
        return counts.values().stream()
                .flatMap(statuses -> statuses.entrySet().stream())
                .filter(entry -> entry.getKey() >= SERVER_ERRORS && !HARMLESS.contains(entry.getKey()))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /** Number of requests without a response. */
    synchronized int none() {
        return counts.values().stream()
                .mapToInt(statuses -> statuses.getOrDefault(NONE, 0))
                .sum();
    }

    /** Report with a line for each caller. */
    synchronized String text() {
        var text = new StringBuilder();
        counts.forEach((caller, statuses) -> {
            text.append("  %-30s longest wait %6d ms  ".formatted(caller, longestMs.get(caller)));
            statuses.forEach((status, count) -> text.append(status == NONE ? "hung up" : status)
                    .append(" x ")
                    .append(count)
                    .append("  "));
            text.append('\n');
        });
        return text.toString().stripTrailing();
    }
}
