package io.millrace.piece.input;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.sandbox.expression.value.WrittenDate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses dates in common notations, and in those that JavaScript engines accept; without an offset they are UTC (contract
 * pieces 6). A day that its month does not have is invalid.
 */
public final class DateParser {
    private static final Pattern NUMERIC = Pattern.compile(
            "([0-9]{4})[-/]?([0-9]{1,2})?[-/]?([0-9]{1,2})?[Tt\\s]*([0-9]{1,2})?:?([0-9]{1,2})?:?([0-9]{1,2})?[.:]?([0-9]{1,9})?[Zz]?");

    private static final List<DateTimeFormatter> WITH_OFFSET = List.of(
            DateTimeFormatter.ISO_OFFSET_DATE_TIME,
            lenient("uuuu-MM-dd HH:mm:ss[.SSS][ ]XXX"),
            lenient("uuuu-MM-dd'T'HH:mm[:ss[.SSS]]XX"),
            lenient("uuuu-MM-dd'T'HH:mmXXX"),
            DateTimeFormatter.RFC_1123_DATE_TIME.withResolverStyle(ResolverStyle.STRICT),
            anyOffset());

    private static final List<DateTimeFormatter> WORDED =
            List.of(lenient("[EEE, ]MMMM d[,] uuuu"), lenient("[EEE, ]MMM d[,] uuuu"), lenient("[EEE, ]d MMM[M] uuuu"));

    private DateParser() {}

    /** Instant of a text or a number of milliseconds; empty for an invalid date. */
    public static Optional<Instant> parse(JsonNode value) {
        if (value.isNumber()) {
            return Optional.of(Instant.ofEpochMilli(value.longValue()));
        }
        return value.isTextual() ? parse(value.asText().strip()) : Optional.empty();
    }

    private static Optional<Instant> parse(String text) {
        var numeric = NUMERIC.matcher(text);
        if (numeric.matches()) {
            return ofFields(numeric);
        }
        for (var format : WITH_OFFSET) {
            var found = attempt(() -> OffsetDateTime.parse(text, format).toInstant());
            if (found.isPresent()) {
                return found;
            }
        }
        for (var format : WORDED) {
            var found = attempt(() ->
                    LocalDate.parse(text, format).atStartOfDay(ZoneOffset.UTC).toInstant());
            if (found.isPresent()) {
                return found;
            }
        }
        return WrittenDate.read(text).map(date -> Instant.ofEpochMilli(date.milliseconds()));
    }

    private static Optional<Instant> ofFields(Matcher fields) {
        return attempt(() -> OffsetDateTime.of(
                        field(fields, 1, 0),
                        field(fields, 2, 1),
                        field(fields, 3, 1),
                        field(fields, 4, 0),
                        field(fields, 5, 0),
                        field(fields, 6, 0),
                        nanos(fields.group(7)),
                        ZoneOffset.UTC)
                .toInstant());
    }

    private static int field(Matcher fields, int group, int absent) {
        return fields.group(group) == null ? absent : Integer.parseInt(fields.group(group));
    }

    private static int nanos(String fraction) {
        return fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
    }

    private static Optional<Instant> attempt(java.util.function.Supplier<Instant> read) {
        try {
            return Optional.of(read.get());
        } catch (DateTimeException notThisForm) {
            return Optional.empty();
        }
    }

    /** Offsets with and without minutes and colon, after fractions of any length, as databases write them. */
    private static DateTimeFormatter anyOffset() {
        return new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .appendPattern("uuuu-MM-dd['T'][ ]HH:mm[:ss]")
                .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                .appendPattern("[ ][XXX][XX][X]")
                .toFormatter(Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT);
    }

    private static DateTimeFormatter lenient(String pattern) {
        return new DateTimeFormatterBuilder()
                .parseCaseInsensitive()
                .appendPattern(pattern)
                .toFormatter(Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT);
    }
}
