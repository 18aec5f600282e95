package io.millrace.day;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Parameters of a day.
 *
 * @param program the packaged server
 * @param earlier program of an earlier release, to upgrade from
 * @param perSecond webhooks per second
 * @param seconds duration of the load before the backup
 * @param part the only part of the day; empty for all parts
 */
record DayPlan(Path program, Optional<Path> earlier, int perSecond, int seconds, Optional<Part> part) {
    /** Parts of a day in their order. */
    enum Part {
        SERVER,
        CODE,
        LOG,
        EDGE,
        SCRAPE,
        TLS,
        UPGRADE
    }

    boolean has(Part asked) {
        return part.isEmpty() || part.get() == asked;
    }

    static DayPlan parse(List<String> words) {
        var plan =
                new DayPlan(Path.of(words.getFirst()).toAbsolutePath(), Optional.empty(), 1000, 10, Optional.empty());
        for (var place = 1; place + 1 < words.size(); place += 2) {
            plan = plan.with(words.get(place), words.get(place + 1));
        }
        if (words.size() % 2 == 0) {
            throw new IllegalArgumentException("expected a value behind " + words.getLast());
        }
        return plan;
    }

    private DayPlan with(String option, String value) {
        return switch (option) {
            case "--from" ->
                new DayPlan(program, Optional.of(Path.of(value).toAbsolutePath()), perSecond, seconds, part);
            case "--rate" -> new DayPlan(program, earlier, Integer.parseInt(value), seconds, part);
            case "--seconds" -> new DayPlan(program, earlier, perSecond, Integer.parseInt(value), part);
            case "--part" ->
                new DayPlan(
                        program,
                        earlier,
                        perSecond,
                        seconds,
                        Optional.of(Part.valueOf(value.toUpperCase(Locale.ROOT))));
            default ->
                throw new IllegalArgumentException("expected --from, --rate, --seconds or --part, found " + option);
        };
    }
}
