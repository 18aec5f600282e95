package io.millrace.sandbox.expression.value;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads the looser date texts that JavaScript engines take besides the ISO form: {@code Jan 5, 2021 10:00 PM}, {@code Tue, 05 Jan
 * 2021 10:00:00 GMT}, {@code 1/5/2021}. An unknown word makes the date invalid.
 */
final class FreeDate {
    private static final int TEXT_LENGTH_MAX = 100;
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> WEEKDAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

    /** The zones that dates of mails may name besides Greenwich (RFC 822), in minutes east of it. */
    private static final Map<String, Integer> ZONES = Map.of(
            "est", -300, "edt", -240, "cst", -360, "cdt", -300, "mst", -420, "mdt", -360, "pst", -480, "pdt", -420);

    private static final Pattern PIECE = Pattern.compile("\\s*+(?:,\\s*+)?(?:"
            + "(?<time>\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,9})?)?)"
            + "|(?<slashed>\\d{1,4}[/.-]\\d{1,2}[/.-]\\d{1,4})"
            + "|(?<offset>[+-]\\d{2}:?\\d{2})"
            + "|(?<number>\\d{1,6})"
            + "|(?<note>\\([^()]*\\))"
            + "|(?<word>[A-Za-z]+)\\.?)(?=[\\s,(+-]|$|(?<=\\d)[A-Za-z]|(?<=[A-Za-z])\\d)-?");

    /** A single number: {@code 12} is a month, {@code 49} and {@code 275} are years. */
    private static final Pattern LONE_NUMBER = Pattern.compile("\\d{1,6}");

    private double year = Double.NaN;
    private double month = Double.NaN;
    private double day = Double.NaN;
    private double hour;
    private double minute;
    private double second;
    private double offset;
    private boolean hasZone;
    private boolean isValid = true;

    private FreeDate() {}

    static double parse(String text) {
        if (text.isEmpty() || text.length() > TEXT_LENGTH_MAX) {
            return Double.NaN;
        }
        return LONE_NUMBER.matcher(text).matches()
                ? ofLoneNumber(Integer.parseInt(text))
                : read(text).result();
    }

    /** See {@link WrittenDate#read}. A number alone is no date here: it is rather a count. */
    static Optional<WrittenDate> written(String text) {
        if (text.isEmpty()
                || text.length() > TEXT_LENGTH_MAX
                || LONE_NUMBER.matcher(text).matches()) {
            return Optional.empty();
        }
        var date = read(text);
        var time = date.result();
        return Double.isNaN(time) || !Double.isNaN(date.day) && !JsDates.isDay(date.year, date.month, date.day)
                ? Optional.empty()
                : JsDates.written(time, date.hasZone);
    }

    private static FreeDate read(String text) {
        var date = new FreeDate();
        var matcher = PIECE.matcher(text).useTransparentBounds(true);
        var end = 0;
        while (date.isValid && end < text.length()) {
            if (!matcher.region(end, text.length()).lookingAt()) {
                date.isValid = false;
                break;
            }
            if (matcher.group("time") != null) {
                date.time(matcher.group("time"));
            } else if (matcher.group("slashed") != null) {
                date.slashed(matcher.group("slashed").split("[/.-]"));
            } else if (matcher.group("offset") != null) {
                date.offset += JsDates.offset(matcher.group("offset"));
                date.hasZone = true;
            } else if (matcher.group("number") != null) {
                date.number(matcher.group("number"));
            } else if (matcher.group("word") != null) {
                date.word(matcher.group("word").toLowerCase(Locale.ROOT));
            }
            end = matcher.end();
        }
        return date;
    }

    /** Date of a single number as in V8: a month of 2001, or a year; 13 to 31 are neither. */
    private static double ofLoneNumber(int number) {
        if (number >= 13 && number <= 31) {
            return Double.NaN;
        }
        if (number >= 1 && number <= 12) {
            return JsDates.time(2001, number - 1, 1, 0, 0, 0, 0);
        }
        var century = number < 50 ? 2000 : number < 100 ? 1900 : 0;
        return JsDates.time(century + number, 0, 1, 0, 0, 0, 0);
    }

    private void time(String text) {
        var parts = text.split(":");
        hour = Double.parseDouble(parts[0]);
        minute = Double.parseDouble(parts[1]);
        second = parts.length > 2 ? Double.parseDouble(parts[2]) : 0;
        isValid = hour <= 24 && minute < 60 && second < 60;
    }

    private void slashed(String[] parts) {
        var isYearFirst = parts[0].length() > 2;
        year(parts[isYearFirst ? 0 : 2]);
        month = Double.parseDouble(parts[isYearFirst ? 1 : 0]) - 1;
        day = Double.parseDouble(parts[isYearFirst ? 2 : 1]);
    }

    private void number(String text) {
        if (Double.isNaN(day) && text.length() <= 2) {
            day = Double.parseDouble(text);
        } else if (Double.isNaN(year)) {
            year(text);
        } else {
            isValid = false;
        }
    }

    private void year(String text) {
        var number = Double.parseDouble(text);
        year = text.length() > 2 ? number : number < 50 ? 2000 + number : 1900 + number;
    }

    private void word(String word) {
        var start = word.substring(0, Math.min(3, word.length()));
        if (MONTHS.contains(start)) {
            month = MONTHS.indexOf(start);
        } else if (word.equals("am") || word.equals("pm")) {
            isValid = hour >= 1 && hour <= 12;
            hour = hour % 12 + (word.equals("pm") ? 12 : 0);
        } else if (ZONES.containsKey(word)) {
            offset += ZONES.get(word);
            hasZone = true;
        } else if (word.equals("gmt") || word.equals("utc") || word.equals("z")) {
            hasZone = true;
        } else if (!WEEKDAYS.contains(start) && !word.equals("t")) {
            isValid = false;
        }
    }

    private double result() {
        var isDate = !Double.isNaN(year) && !Double.isNaN(month);
        var dayOfMonth = Double.isNaN(day) ? 1 : day;
        if (!isValid || !isDate || month < 0 || month > 11 || dayOfMonth < 1 || dayOfMonth > 31) {
            return Double.NaN;
        }
        var whole = Math.floor(second);
        var milliseconds = Math.floor((second - whole) * 1000 + 1e-6);
        return JsDates.time(year, month, dayOfMonth, hour, minute, whole, milliseconds) - offset * 60_000;
    }
}
