package io.millrace.piece.builtin.date;

import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Date format in the notation of flows: {@code YYYY-MM-DD HH:mm:ss} (contract pieces 14.3). Text in square brackets and
 * unknown characters are literal.
 */
record DatePattern(List<Part> parts) {
    private static final int LENGTH_MAX = 200;

    enum Field {
        YEAR("YYYY"),
        YEAR_OF_CENTURY("YY"),
        MONTH_NAME("MMMM"),
        MONTH_SHORT_NAME("MMM"),
        MONTH_TWO_DIGITS("MM"),
        MONTH("M"),
        WEEKDAY_NAME("DDDD"),
        WEEKDAY_SHORT_NAME("DDD"),
        DAY_TWO_DIGITS("DD"),
        DAY("D"),
        WEEKDAY_NAME_AS_ELSEWHERE("dddd"),
        WEEKDAY_SHORT_NAME_AS_ELSEWHERE("ddd"),
        HOUR_TWO_DIGITS("HH"),
        HOUR("H"),
        HOUR_OF_HALF_TWO_DIGITS("hh"),
        HOUR_OF_HALF("h"),
        MINUTE_TWO_DIGITS("mm"),
        MINUTE("m"),
        SECOND_TWO_DIGITS("ss"),
        SECOND("s"),
        MILLISECOND("SSS"),
        HALF_OF_DAY("A"),
        HALF_OF_DAY_SMALL("a"),
        OFFSET("ZZ"),
        OFFSET_WITH_COLON("Z"),
        UNIX_SECONDS("X"),
        UNIX_MILLISECONDS("x");

        private final String letters;

        Field(String letters) {
            this.letters = letters;
        }
    }

    /** A field, or literal text where the field is null. */
    record Part(Field field, String text) {}

    DatePattern {
        parts = List.copyOf(parts);
    }

    static DatePattern of(String pattern) {
        if (pattern.isBlank() || pattern.length() > LENGTH_MAX) {
            throw new DateTimeException("expected a date format of 1 to " + LENGTH_MAX + " characters, found one of "
                    + pattern.strip().length());
        }
        var parts = new ArrayList<Part>();
        var at = 0;
        while (at < pattern.length()) {
            var close = pattern.charAt(at) == '[' ? pattern.indexOf(']', at) : -1;
            if (close > 0) {
                parts.add(new Part(null, pattern.substring(at + 1, close)));
                at = close + 1;
            } else {
                var part = partAt(pattern, at);
                parts.add(part);
                at += part.field() == null ? 1 : part.field().letters.length();
            }
        }
        return new DatePattern(parts);
    }

    private static Part partAt(String pattern, int at) {
        Field longest = null;
        for (var field : Field.values()) {
            if (pattern.startsWith(field.letters, at)
                    && (longest == null || field.letters.length() > longest.letters.length())) {
                longest = field;
            }
        }
        return longest == null ? new Part(null, pattern.substring(at, at + 1)) : new Part(longest, "");
    }

    /** Names are English. */
    String write(ZonedDateTime date) {
        var written = new StringBuilder();
        for (var part : parts) {
            written.append(part.field() == null ? part.text() : written(part.field(), date));
        }
        return written.toString();
    }

    private static String written(Field field, ZonedDateTime date) {
        return switch (field) {
            case YEAR -> padded(date.getYear(), 4);
            case YEAR_OF_CENTURY -> padded(Math.floorMod(date.getYear(), 100), 2);
            case MONTH_NAME -> date.getMonth().getDisplayName(TextStyle.FULL, Locale.US);
            case MONTH_SHORT_NAME -> date.getMonth().getDisplayName(TextStyle.SHORT, Locale.US);
            case MONTH_TWO_DIGITS -> padded(date.getMonthValue(), 2);
            case MONTH -> padded(date.getMonthValue(), 1);
            case WEEKDAY_NAME, WEEKDAY_NAME_AS_ELSEWHERE ->
                date.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.US);
            case WEEKDAY_SHORT_NAME, WEEKDAY_SHORT_NAME_AS_ELSEWHERE ->
                date.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.US);
            case DAY_TWO_DIGITS -> padded(date.getDayOfMonth(), 2);
            case DAY -> padded(date.getDayOfMonth(), 1);
            case HOUR_TWO_DIGITS -> padded(date.getHour(), 2);
            case HOUR -> padded(date.getHour(), 1);
            case HOUR_OF_HALF_TWO_DIGITS -> padded(hourOfHalf(date), 2);
            case HOUR_OF_HALF -> padded(hourOfHalf(date), 1);
            case MINUTE_TWO_DIGITS -> padded(date.getMinute(), 2);
            case MINUTE -> padded(date.getMinute(), 1);
            case SECOND_TWO_DIGITS -> padded(date.getSecond(), 2);
            case SECOND -> padded(date.getSecond(), 1);
            case MILLISECOND -> padded(date.getNano() / 1_000_000, 3);
            case HALF_OF_DAY -> date.getHour() < 12 ? "AM" : "PM";
            case HALF_OF_DAY_SMALL -> date.getHour() < 12 ? "am" : "pm";
            case OFFSET -> offset(date, "");
            case OFFSET_WITH_COLON -> offset(date, ":");
            case UNIX_SECONDS -> String.valueOf(date.toEpochSecond());
            case UNIX_MILLISECONDS -> String.valueOf(date.toInstant().toEpochMilli());
        };
    }

    private static int hourOfHalf(ZonedDateTime date) {
        return date.getHour() % 12 == 0 ? 12 : date.getHour() % 12;
    }

    private static String offset(ZonedDateTime date, String separator) {
        var minutes = Math.abs(date.getOffset().getTotalSeconds() / 60);
        var sign = date.getOffset().getTotalSeconds() < 0 ? "-" : "+";
        return sign + padded(minutes / 60, 2) + separator + padded(minutes % 60, 2);
    }

    private static String padded(int number, int digits) {
        var text = String.valueOf(Math.abs(number));
        return (number < 0 ? "-" : "") + "0".repeat(Math.max(0, digits - text.length())) + text;
    }
}
