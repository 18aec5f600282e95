package io.millrace.sandbox.expression.formula;

import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.TextStyle;
import java.util.Locale;

/**
 * Writes a date by the pattern letters of contract flows-and-engine 32.2. A run of one letter is one field; text in square brackets
 * and all other characters are copied.
 */
final class FormulaDatePattern {
    private static final String LETTERS = "YMDdHhmsSAaZ";
    private static final int FIELD_LENGTH_MAX = 4;

    private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("xxx", Locale.ENGLISH);

    private FormulaDatePattern() {}

    static String format(ZonedDateTime date, String pattern) {
        var result = new StringBuilder();
        var lastClose = pattern.lastIndexOf(']');
        var at = 0;
        while (at < pattern.length()) {
            var c = pattern.charAt(at);
            var close = c == '[' && at < lastClose ? pattern.indexOf(']', at) : -1;
            if (close > at + 1) {
                result.append(pattern, at + 1, close);
                at = close + 1;
            } else if (LETTERS.indexOf(c) >= 0) {
                var length = fieldLength(pattern, at);
                result.append(field(date, c, length, pattern.substring(at, at + length)));
                at += length;
            } else {
                result.append(c);
                at++;
            }
        }
        return result.toString();
    }

    private static int fieldLength(String pattern, int at) {
        var c = pattern.charAt(at);
        var run = 1;
        while (run < FIELD_LENGTH_MAX && at + run < pattern.length() && pattern.charAt(at + run) == c) {
            run++;
        }
        return switch (c) {
            case 'Y' -> run >= 4 ? 4 : Math.min(run, 2);
            case 'S' -> run >= 3 ? 3 : 1;
            case 'M', 'd' -> Math.min(run, 4);
            case 'A', 'a' -> 1;
            default -> Math.min(run, 2);
        };
    }

    private static String field(ZonedDateTime date, char letter, int length, String written) {
        var hour = date.getHour();
        return switch (letter) {
            case 'Y' ->
                switch (length) {
                    case 4 -> padded(date.getYear(), 4);
                    case 2 -> padded(Math.floorMod(date.getYear(), 100), 2);
                    default -> written;
                };
            case 'M' -> length < 3 ? padded(date.getMonthValue(), length) : month(date, length);
            case 'D' -> padded(date.getDayOfMonth(), length);
            case 'd' -> weekday(date, length);
            case 'H' -> padded(hour, length);
            case 'h' -> padded(hour % 12 == 0 ? 12 : hour % 12, length);
            case 'm' -> padded(date.getMinute(), length);
            case 's' -> padded(date.getSecond(), length);
            case 'S' -> length == 3 ? padded(date.getNano() / 1_000_000, 3) : written;
            case 'A' -> hour < 12 ? "AM" : "PM";
            case 'a' -> hour < 12 ? "am" : "pm";
            case 'Z' -> length == 1 ? OFFSET.format(date) : OFFSET.format(date).replace(":", "");
            default -> written;
        };
    }

    private static String month(ZonedDateTime date, int length) {
        return date.getMonth().getDisplayName(length == 3 ? TextStyle.SHORT : TextStyle.FULL, Locale.ENGLISH);
    }

    private static String weekday(ZonedDateTime date, int length) {
        var name = date.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
        return switch (length) {
            case 1 -> String.valueOf(date.getDayOfWeek().getValue() % 7);
            case 2, 3 -> name.substring(0, length);
            default -> name;
        };
    }

    private static String padded(int number, int digits) {
        var text = Integer.toString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }
}
