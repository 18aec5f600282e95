package io.millrace.authoring.table.cell;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.regex.Pattern;

/** Comparable value of a text for filters (contract flows-and-engine 22.5); empty for a malformed text. */
public final class ComparableValue {
    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]{1,4})?");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final int LENGTH_MAX = 400;

    private ComparableValue() {}

    /** A finite floating-point number of digits, point, sign and exponent. */
    public static Optional<Double> number(String text) {
        var digits = text.strip();
        if (digits.length() > LENGTH_MAX || !NUMBER.matcher(digits).matches()) {
            return Optional.empty();
        }
        return Optional.of(Double.parseDouble(digits)).filter(Double::isFinite);
    }

    /** An instant in ISO-8601: a date is its midnight, and a time without a zone is one of UTC. */
    public static Optional<Instant> instant(String text) {
        var iso = text.strip();
        if (iso.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        try {
            if (DATE.matcher(iso).matches()) {
                return Optional.of(LocalDate.parse(iso).atStartOfDay().toInstant(ZoneOffset.UTC));
            }
            return Optional.of(instantOf(iso.replace(' ', 'T'))).filter(ComparableValue::isKept);
        } catch (DateTimeException malformed) {
            return Optional.empty();
        }
    }

    private static Instant instantOf(String iso) {
        try {
            return OffsetDateTime.parse(iso).toInstant();
        } catch (DateTimeException withoutZone) {
            return LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
        }
    }

    /** Range of years that the database and the text format support. */
    private static boolean isKept(Instant instant) {
        var year = instant.atOffset(ZoneOffset.UTC).getYear();
        return year >= 0 && year <= 9999;
    }
}
