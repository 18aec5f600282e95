package io.millrace.piece.builtin.date;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.memory.LazyList;
import io.millrace.piece.property.Property.Option;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The time zones that editors offer: places of the time zone database, by their offset outside summer time. */
public final class Timezones {
    private static final Set<String> REGIONS = Set.of(
            "Africa",
            "America",
            "Antarctica",
            "Arctic",
            "Asia",
            "Atlantic",
            "Australia",
            "Europe",
            "Indian",
            "Pacific");

    /** Offsets change over the years; the labels show those of this moment, so that they are the same everywhere. */
    private static final Instant LABELLED_AT = Instant.parse("2026-01-01T00:00:00Z");

    /** The rules of four hundred places are eight megabytes. */
    private static final List<Option> OPTIONS = LazyList.of(Timezones::read);

    private record LabelledZone(String id, ZoneOffset offset) {}

    private Timezones() {}

    public static List<Option> options() {
        return OPTIONS;
    }

    private static List<Option> read() {
        var options = new ArrayList<Option>();
        options.add(new Option("(GMT) UTC", TextNode.valueOf("UTC")));
        ZoneId.getAvailableZoneIds().stream()
                .filter(Timezones::isPlace)
                .map(id -> new LabelledZone(id, ZoneId.of(id).getRules().getStandardOffset(LABELLED_AT)))
                .sorted(Comparator.comparingInt(
                                (LabelledZone place) -> place.offset().getTotalSeconds())
                        .thenComparing(LabelledZone::id))
                .map(place -> new Option(label(place), TextNode.valueOf(place.id())))
                .forEach(options::add);
        return options;
    }

    private static boolean isPlace(String id) {
        var slash = id.indexOf('/');
        return slash > 0 && REGIONS.contains(id.substring(0, slash));
    }

    private static String label(LabelledZone place) {
        var offset = place.offset().getTotalSeconds() == 0 ? "" : place.offset().getId();
        return "(GMT" + offset + ") " + place.id().replace("/", ", ").replace('_', ' ');
    }
}
