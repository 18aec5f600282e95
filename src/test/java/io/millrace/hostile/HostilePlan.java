package io.millrace.hostile;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Options of scripts/hostile.
 *
 * @param memoryBytes memory of the simulated machine under the load
 * @param length bound of the whole run
 * @param kinds words, one of which a kind has to contain; empty for all kinds
 * @param isListing true to print the kinds instead of running them
 * @param hasControl true to add a negative control, a case that fails on purpose
 */
record HostilePlan(long memoryBytes, Duration length, List<String> kinds, boolean isListing, boolean hasControl) {
    static final String USAGE = "usage: scripts/hostile [--kinds load,git] [--minutes 40] [--memory 1g] [--list]"
            + " [--as-root | --non-root] [--negative-control]";
    static final String LOAD = "load and a calm client";
    private static final double MINUTES_MAX = 120;
    private static final Duration LOAD_MAX = Duration.ofMinutes(10);
    private static final int LOAD_SHARE = 4;
    private static final long MEGABYTE = 1L << 20;
    private static final long MEMORY_LEAST = 512 * MEGABYTE;

    HostilePlan {
        kinds = List.copyOf(kinds);
    }

    static HostilePlan defaults() {
        return new HostilePlan(1024 * MEGABYTE, Duration.ofMinutes(40), List.of(), false, false);
    }

    /** Parses the command line. */
    static HostilePlan parse(List<String> words) {
        var plan = defaults();
        var rest = words.iterator();
        while (rest.hasNext()) {
            var word = rest.next();
            plan = switch (word) {
                case "--list" -> new HostilePlan(plan.memoryBytes, plan.length, plan.kinds, true, plan.hasControl);
                case "--negative-control" ->
                    new HostilePlan(plan.memoryBytes, plan.length, plan.kinds, plan.isListing, true);
                default -> {
                    if (!rest.hasNext()) {
                        throw new IllegalArgumentException(USAGE);
                    }
                    yield plan.with(word, rest.next());
                }
            };
        }
        return plan;
    }

    private HostilePlan with(String option, String value) {
        return switch (option) {
            case "--memory" -> new HostilePlan(bytes(value), length, kinds, isListing, hasControl);
            case "--minutes" -> new HostilePlan(memoryBytes, minutes(value), kinds, isListing, hasControl);
            case "--kinds" -> new HostilePlan(memoryBytes, length, words(value), isListing, hasControl);
            default -> throw new IllegalArgumentException(USAGE);
        };
    }

    private static List<String> words(String text) {
        var words = Stream.of(text.split(","))
                .map(word -> word.strip().toLowerCase(Locale.ROOT))
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty()) {
            throw new IllegalArgumentException("--kinds: expected words of kinds with commas between, found none");
        }
        return words;
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
            throw new IllegalArgumentException("--minutes: expected more than 0 and at most 120, found " + text);
        }
        return Duration.ofMillis((long) (minutes * 60_000));
    }

    boolean isWanted(String kind) {
        return kinds.isEmpty() || kinds.stream().anyMatch(kind.toLowerCase(Locale.ROOT)::contains);
    }

    /**
     * Duration of the load on the packaged server: the whole time if no other kind was selected, else a quarter of it.
     */
    Duration loadLength() {
        if (!isWanted(LOAD)) {
            return Duration.ZERO;
        }
        var isAlone = !kinds.isEmpty() && kinds.stream().allMatch(LOAD::contains);
        var share = isAlone ? length : length.dividedBy(LOAD_SHARE);
        return share.compareTo(LOAD_MAX) > 0 ? LOAD_MAX : share;
    }

    Duration corpusLength() {
        return length.minus(loadLength());
    }

    String text() {
        return "a machine of %d MB, %d s of hostile load"
                .formatted(memoryBytes / MEGABYTE, loadLength().toSeconds());
    }
}
