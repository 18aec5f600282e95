package io.millrace.hostile;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What a hostile load is to be like.
 *
 * @param memoryBytes of the simulated machine
 * @param length of the load
 */
record HostilePlan(long memoryBytes, Duration length) {
    static final String USAGE = "usage: scripts/hostile [--memory 1g] [--minutes 10]";
    private static final double MINUTES_MAX = 60;
    private static final long MEGABYTE = 1L << 20;
    private static final long MEMORY_LEAST = 512 * MEGABYTE;

    /** Reads the command line. */
    static HostilePlan parse(List<String> words) {
        if (words.size() % 2 != 0) {
            throw new IllegalArgumentException(USAGE);
        }
        var plan = new HostilePlan(1024 * MEGABYTE, Duration.ofMinutes(10));
        for (var word = 0; word < words.size(); word += 2) {
            var value = words.get(word + 1);
            plan = switch (words.get(word)) {
                case "--memory" -> new HostilePlan(bytes(value), plan.length);
                case "--minutes" -> new HostilePlan(plan.memoryBytes, minutes(value));
                default -> throw new IllegalArgumentException(USAGE);
            };
        }
        return plan;
    }

    private static long bytes(String text) {
        var number = text.toLowerCase(Locale.ROOT);
        var unit = number.endsWith("g") ? 1024 * MEGABYTE : MEGABYTE;
        if (!number.matches("\\d{1,6}[gm]")) {
            throw new IllegalArgumentException("--memory: expected a number and g or m, found " + text);
        }
        var bytes = Long.parseLong(number.substring(0, number.length() - 1)) * unit;
        if (bytes < MEMORY_LEAST) {
            throw new IllegalArgumentException("--memory: expected at least 512m, found " + text);
        }
        return bytes;
    }

    private static Duration minutes(String text) {
        var minutes = Double.parseDouble(text);
        if (!(minutes > 0 && minutes <= MINUTES_MAX)) {
            throw new IllegalArgumentException("--minutes: expected more than 0 and at most 60, found " + text);
        }
        return Duration.ofMillis((long) (minutes * 60_000));
    }

    String text() {
        return "a machine of " + memoryBytes / MEGABYTE + " MB, " + length.toSeconds() + " s of hostile load";
    }
}
