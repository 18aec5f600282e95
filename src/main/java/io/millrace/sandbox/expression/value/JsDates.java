package io.millrace.sandbox.expression.value;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads dates as milliseconds since the epoch, NaN when invalid; the local zone is UTC. */
public final class JsDates {
    private static final double TIME_MAX = 8.64e15;
    private static final double DAY_MS = 86_400_000;

    /** The ECMAScript format: a zone may follow only a time. */
    private static final Pattern ISO = Pattern.compile("(\\d{4}|[+-]\\d{6})(?:-(\\d{2})(?:-(\\d{2}))?)?"
            + "(?:[Tt ](\\d{2}):(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?(Z|z|[+-]\\d{2}:?\\d{2})?)?");

    /** The form of router conditions: a date by numbers, then as much of a time as there is, without a zone. */
    private static final Pattern PLAIN = Pattern.compile("(\\d{4})[-/](\\d{1,2})[-/](\\d{1,2})"
            + "(?:[Tt\\s]+(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:[.:](\\d{1,9}))?)?)?)?");

    private JsDates() {}

    public static double parse(String text, Meter meter) {
        meter.scan(text.length());
        return parse(text);
    }

    /** {@code Date.parse(text)}. */
    public static double parse(String text) {
        var trimmed = JsText.trim(text);
        var iso = ISO.matcher(trimmed);
        return iso.matches() ? ofIso(iso) : FreeDate.parse(trimmed);
    }

    /** See {@link WrittenDate#read}. */
    static Optional<WrittenDate> written(String text) {
        var trimmed = JsText.trim(text);
        var iso = ISO.matcher(trimmed);
        if (!iso.matches()) {
            return FreeDate.written(trimmed);
        }
        return isDay(number(iso, 1, 0), number(iso, 2, 1) - 1, number(iso, 3, 1))
                ? written(ofIso(iso), iso.group(8) != null)
                : Optional.empty();
    }

    static Optional<WrittenDate> written(double time, boolean hasZone) {
        return Double.isNaN(time) ? Optional.empty() : Optional.of(new WrittenDate((long) time, hasZone));
    }

    /** False for a day that its month does not have; the month counts from 0. */
    static boolean isDay(double year, double month, double day) {
        return month >= 0
                && month < 12
                && day >= 1
                && day <= YearMonth.of((int) year, (int) month + 1).lengthOfMonth();
    }

    /**
     * The time that a router condition compares (contract flows-and-engine 10.5): a text or a number, everything else
     * is invalid.
     */
    public static double ofCondition(JsonNode value) {
        if (value.isNumber()) {
            return clip(value.doubleValue());
        }
        if (!value.isTextual()) {
            return Double.NaN;
        }
        var plain = PLAIN.matcher(value.textValue());
        if (!plain.matches()) {
            return parse(value.textValue());
        }
        var milliseconds = plain.group(7) == null
                ? 0
                : Integer.parseInt(
                        plain.group(7).substring(0, Math.min(3, plain.group(7).length())));
        return time(
                number(plain, 1, 0),
                number(plain, 2, 1) - 1,
                number(plain, 3, 1),
                number(plain, 4, 0),
                number(plain, 5, 0),
                number(plain, 6, 0),
                milliseconds);
    }

    /** The time of the parts; each may overflow into the next. */
    public static double time(double... parts) {
        for (var part : parts) {
            if (!Double.isFinite(part) || Math.abs(part) > 1e15) {
                return Double.NaN;
            }
        }
        var monthsTotal = JsNumbers.integer(parts[0]) * 12 + JsNumbers.integer(parts[1]);
        var year = Math.floor(monthsTotal / 12);
        if (Math.abs(year) > 400_000) {
            return Double.NaN;
        }
        var month = (int) (monthsTotal - year * 12);
        var days = LocalDate.of((int) year, month + 1, 1).toEpochDay() + JsNumbers.integer(parts[2]) - 1;
        return clip(days * DAY_MS
                + JsNumbers.integer(parts[3]) * 3_600_000
                + JsNumbers.integer(parts[4]) * 60_000
                + JsNumbers.integer(parts[5]) * 1_000
                + JsNumbers.integer(parts[6]));
    }

    /** A time within the range of dates, without a fraction; NaN outside. */
    public static double clip(double time) {
        return Math.abs(time) <= TIME_MAX ? JsNumbers.integer(time) : Double.NaN;
    }

    private static double ofIso(Matcher iso) {
        var month = number(iso, 2, 1);
        var day = number(iso, 3, 1);
        var hour = number(iso, 4, 0);
        var minute = number(iso, 5, 0);
        var second = number(iso, 6, 0);
        var isMidnightOfNextDay = hour == 24 && minute == 0 && second == 0;
        var isOutside = month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 && !isMidnightOfNextDay;
        if (isOutside || minute > 59 || second > 59 || iso.group(1).equals("-000000")) {
            return Double.NaN;
        }
        var fraction = iso.group(7) == null ? 0 : Math.floor(Double.parseDouble("0." + iso.group(7)) * 1000 + 1e-9);
        var local = time(number(iso, 1, 0), month - 1, day, hour, minute, second, fraction);
        return local - offset(iso.group(8)) * 60_000;
    }

    /** Minutes east of Greenwich. */
    static double offset(String zone) {
        if (zone == null || zone.equalsIgnoreCase("Z")) {
            return 0;
        }
        var digits = zone.substring(1).replace(":", "");
        var minutes = Integer.parseInt(digits.substring(0, 2)) * 60 + Integer.parseInt(digits.substring(2));
        return zone.charAt(0) == '-' ? -minutes : minutes;
    }

    private static double number(Matcher matcher, int group, int whenAbsent) {
        return matcher.group(group) == null ? whenAbsent : Integer.parseInt(matcher.group(group));
    }
}
