package io.millrace.piece.builtin.date;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.ZoneNames;
import io.millrace.base.core.memory.LazyList;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.Property.Option;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.regex.Pattern;

/** Common properties of the date actions, and their values (contract pieces 14.3). */
final class DateProps {
    private static final String DEFAULT_FORMAT = "DDD MMM DD YYYY HH:mm:ss";

    private static final ZonedDateTime EXAMPLE = ZonedDateTime.of(2023, 9, 17, 11, 23, 58, 0, ZoneOffset.UTC);

    private static final List<String> FORMATS = List.of(
            DEFAULT_FORMAT,
            "DDD MMM DD HH:mm:ss YYYY",
            "MMMM DD YYYY HH:mm:ss",
            "MMMM DD YYYY",
            "MMM DD YYYY",
            "YYYY-MM-DDTHH:mm:ss",
            "YYYY-MM-DD HH:mm:ss",
            "YYYY-MM-DD",
            "MM-DD-YYYY",
            "MM/DD/YYYY",
            "MM/DD/YY",
            "DD-MM-YYYY",
            "DD/MM/YYYY",
            "DD/MM/YY",
            "X",
            "x");

    /** Lazy, because names of months and days load locale data that the start does not need. */
    private static final List<Option> LABELLED_FORMATS =
            LazyList.of(() -> FORMATS.stream().map(DateProps::option).toList());

    private static final List<Option> ZONES = Timezones.options();
    private static final Pattern TIME = Pattern.compile("([01][0-9]|2[0-3]):[0-5][0-9]");

    private DateProps() {}

    private static Option option(String format) {
        var example = DatePattern.of(format).write(EXAMPLE);
        return new Option(format + " (" + example + ")", TextNode.valueOf(format));
    }

    static Property format(String displayName) {
        return Props.choice(displayName, true, LABELLED_FORMATS)
                .describedAs("YYYY is the year, YY its last two digits; MMMM, MMM and MM the month as a name, a short"
                        + " name and two digits; DDDD and DDD the day of the week; DD the day; HH, mm and ss the time;"
                        + " X and x the seconds and milliseconds since 1970.")
                .defaultingTo(TextNode.valueOf(DEFAULT_FORMAT));
    }

    static Property zone(String displayName) {
        return optionalZone(displayName, true).defaultingTo(TextNode.valueOf("UTC"));
    }

    static Property optionalZone(String displayName, boolean required) {
        return Props.choice(displayName, required, ZONES);
    }

    static Property time() {
        return Props.shortText("24h Time", false)
                .describedAs("Hours and minutes, such as 14:30.")
                .defaultingTo(TextNode.valueOf("00:00"));
    }

    /** The pattern that an input names, which may be another than those that editors offer. */
    static DatePattern patternIn(ObjectNode input, String name) {
        try {
            return DatePattern.of(input.path(name).asText(DEFAULT_FORMAT));
        } catch (DateTimeException malformed) {
            throw PieceFailure.of(name + ": " + malformed.getMessage());
        }
    }

    static ZoneId zoneIn(ObjectNode input, String name) {
        var zone = input.path(name).asText("");
        try {
            return zone.isBlank() || zone.equals("null") ? ZoneOffset.UTC : ZoneNames.of(zone);
        } catch (DateTimeException unknown) {
            throw PieceFailure.of(name + ": expected a time zone such as Europe/Berlin, found " + zone);
        }
    }

    static LocalTime timeIn(ObjectNode input, String name) {
        var time = input.path(name).asText("00:00");
        if (!TIME.matcher(time).matches()) {
            throw PieceFailure.of(name + ": expected a time such as 14:30, found " + time);
        }
        return LocalTime.parse(time);
    }

    static ZonedDateTime dateIn(ObjectNode input, String name, String formatName, ZoneId zone) {
        try {
            return DateReader.read(input.path(name).asText(), patternIn(input, formatName), zone);
        } catch (DateTimeException malformed) {
            throw PieceFailure.of(name + ": " + malformed.getMessage());
        }
    }
}
