package io.millrace.sandbox.expression.value;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The texts of a date; the local zone of expressions is UTC. */
public final class FormulaDateText {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("EEE MMM dd uuuu", Locale.ENGLISH);
    private static final DateTimeFormatter UTC =
            DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.ENGLISH);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss 'GMT+0000 (Coordinated Universal Time)'", Locale.ENGLISH);
    private static final DateTimeFormatter ISO_TIME = DateTimeFormatter.ofPattern("-MM-dd'T'HH:mm:ss.SSS'Z'");

    private FormulaDateText() {}

    /** Date and time of a valid time. */
    public static ZonedDateTime at(double time) {
        return Instant.ofEpochMilli((long) time).atZone(ZoneOffset.UTC);
    }

    public static String iso(double time) {
        if (Double.isNaN(time)) {
            throw JsError.range("Invalid time value");
        }
        var at = at(time);
        var year = at.getYear();
        var isPlain = year >= 0 && year <= 9999;
        return (isPlain ? "%04d" : "%+07d").formatted(year) + ISO_TIME.format(at);
    }

    /** {@code String(date)}. */
    public static String full(double time) {
        return Double.isNaN(time) ? "Invalid Date" : day(time) + " " + TIME.format(at(time));
    }

    public static String day(double time) {
        return Double.isNaN(time) ? "Invalid Date" : DAY.format(at(time));
    }

    public static String time(double time) {
        return Double.isNaN(time) ? "Invalid Date" : TIME.format(at(time));
    }

    public static String utc(double time) {
        return Double.isNaN(time) ? "Invalid Date" : UTC.format(at(time));
    }
}
