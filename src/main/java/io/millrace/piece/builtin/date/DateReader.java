package io.millrace.piece.builtin.date;

import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.input.DateParser;
import io.millrace.sandbox.expression.value.WrittenDate;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.Month;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Parses a date by its pattern: first exactly, then with other separators and fewer digits, then in any common notation
 * (contract pieces 14.3).
 */
final class DateReader {
    private static final int TEXT_LENGTH_MAX = 200;
    private static final Pattern ENDS_WITH_OFFSET =
            Pattern.compile(".*:.*([+-][0-9]{2}(:?[0-9]{2})?|Z|UTC|GMT)", Pattern.CASE_INSENSITIVE);

    private final String text;
    private final boolean exact;
    private final Map<DatePattern.Field, Long> found = new EnumMap<>(DatePattern.Field.class);
    private int at;

    private DateReader(String text, boolean exact) {
        this.text = text;
        this.exact = exact;
    }

    /** A text without an offset is interpreted in the zone. */
    static ZonedDateTime read(String text, DatePattern pattern, ZoneId zone) {
        var date = text.strip();
        if (date.length() > TEXT_LENGTH_MAX) {
            throw new DateTimeException(
                    "expected a date of at most " + TEXT_LENGTH_MAX + " characters, found one of " + date.length());
        }
        return new DateReader(date, true)
                .by(pattern, zone)
                .or(() -> new DateReader(date, false).by(pattern, zone))
                .or(() -> anyWriting(date, zone))
                .orElseThrow(() -> new DateTimeException("expected a date of the given format, found: " + date));
    }

    private static Optional<ZonedDateTime> anyWriting(String date, ZoneId zone) {
        return DateParser.parse(TextNode.valueOf(date))
                .map(moment -> hasOffset(date)
                        ? moment.atZone(zone)
                        : LocalDateTime.ofInstant(moment, ZoneOffset.UTC).atZone(zone));
    }

    private static boolean hasOffset(String date) {
        return ENDS_WITH_OFFSET.matcher(date).matches()
                || WrittenDate.read(date).filter(WrittenDate::hasZone).isPresent();
    }

    private Optional<ZonedDateTime> by(DatePattern pattern, ZoneId zone) {
        for (var part : pattern.parts()) {
            var fits = part.field() == null ? separator(part.text()) : field(part.field());
            if (!fits) {
                return Optional.empty();
            }
        }
        try {
            return at == text.length() && !found.isEmpty() ? Optional.of(date(zone)) : Optional.empty();
        } catch (DateTimeException noSuchDate) {
            return Optional.empty();
        }
    }

    private boolean separator(String expected) {
        if (text.startsWith(expected, at)) {
            at += expected.length();
            return true;
        }
        if (exact) {
            return false;
        }
        while (at < text.length() && !Character.isLetterOrDigit(text.charAt(at))) {
            at++;
        }
        return true;
    }

    private boolean field(DatePattern.Field field) {
        return switch (field) {
            case YEAR -> exact ? digits(field, 4, 4) : year(field);
            case YEAR_OF_CENTURY,
                    MONTH_TWO_DIGITS,
                    DAY_TWO_DIGITS,
                    HOUR_TWO_DIGITS,
                    HOUR_OF_HALF_TWO_DIGITS,
                    MINUTE_TWO_DIGITS,
                    SECOND_TWO_DIGITS -> digits(field, exact ? 2 : 1, 2);
            case MONTH, DAY, HOUR, HOUR_OF_HALF, MINUTE, SECOND -> digits(field, 1, 2);
            case MILLISECOND -> digits(field, exact ? 3 : 1, 3);
            case UNIX_SECONDS -> number(field, 12);
            case UNIX_MILLISECONDS -> number(field, 15);
            case MONTH_NAME -> month(exact ? TextStyle.FULL : null);
            case MONTH_SHORT_NAME -> month(exact ? TextStyle.SHORT : null);
            case WEEKDAY_NAME, WEEKDAY_NAME_AS_ELSEWHERE -> weekday(exact ? TextStyle.FULL : null);
            case WEEKDAY_SHORT_NAME, WEEKDAY_SHORT_NAME_AS_ELSEWHERE -> weekday(exact ? TextStyle.SHORT : null);
            case HALF_OF_DAY, HALF_OF_DAY_SMALL -> word("AM", 0) || word("PM", 1);
            case OFFSET, OFFSET_WITH_COLON -> offset();
        };
    }

    private boolean digits(DatePattern.Field field, int fewest, int most) {
        var end = at;
        while (end < text.length() && end - at < most && isDigit(text.charAt(end))) {
            end++;
        }
        if (end - at < fewest) {
            return false;
        }
        found.put(field, Long.parseLong(text.substring(at, end)));
        at = end;
        return true;
    }

    /** A year of two digits is not one of the first century. */
    private boolean year(DatePattern.Field field) {
        var from = at;
        if (!digits(field, 2, 4)) {
            return false;
        }
        if (at - from == 2) {
            found.put(DatePattern.Field.YEAR_OF_CENTURY, found.remove(field));
        }
        return at - from != 3;
    }

    private boolean number(DatePattern.Field field, int most) {
        var negative = text.startsWith("-", at);
        at += negative ? 1 : 0;
        var read = digits(field, 1, most);
        found.computeIfPresent(field, (_, value) -> negative ? -value : value);
        return read;
    }

    /**
     * A name in the style, or in any style where it is null; long names first, because a short name may be a prefix of
     * one.
     */
    private boolean month(TextStyle style) {
        return IntStream.rangeClosed(1, 12)
                .anyMatch(month -> style == null
                        ? month(month, TextStyle.FULL) || month(month, TextStyle.SHORT)
                        : month(month, style));
    }

    private boolean month(int month, TextStyle style) {
        if (!skip(Month.of(month).getDisplayName(style, Locale.US))) {
            return false;
        }
        found.put(DatePattern.Field.MONTH, (long) month);
        return true;
    }

    /** The day of the week is ignored, because the date determines it. */
    private boolean weekday(TextStyle style) {
        return IntStream.rangeClosed(1, 7)
                .mapToObj(DayOfWeek::of)
                .anyMatch(day -> style == null
                        ? skip(day.getDisplayName(TextStyle.FULL, Locale.US))
                                || skip(day.getDisplayName(TextStyle.SHORT, Locale.US))
                        : skip(day.getDisplayName(style, Locale.US)));
    }

    private boolean word(String word, long value) {
        if (!skip(word)) {
            return false;
        }
        found.put(DatePattern.Field.HALF_OF_DAY, value);
        return true;
    }

    private boolean skip(String word) {
        var matches = text.regionMatches(!exact || word.length() == 2, at, word, 0, word.length());
        at += matches ? word.length() : 0;
        return matches;
    }

    private boolean offset() {
        if (skip("Z")) {
            found.put(DatePattern.Field.OFFSET, 0L);
            return true;
        }
        var negative = text.startsWith("-", at);
        if (!negative && !text.startsWith("+", at)) {
            return false;
        }
        var digits = text.substring(at + 1).replace(":", "");
        if (digits.length() == 2) {
            // PostgreSQL writes hours only.
            digits += "00";
        }
        if (digits.length() < 4 || !digits.substring(0, 4).chars().allMatch(digit -> isDigit((char) digit))) {
            return false;
        }
        var seconds = Integer.parseInt(digits.substring(0, 2)) * 3600L + Integer.parseInt(digits.substring(2, 4)) * 60L;
        found.put(DatePattern.Field.OFFSET, negative ? -seconds : seconds);
        at = Math.min(text.length(), at + (text.startsWith(":", at + 3) ? 6 : 5));
        return true;
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }

    private ZonedDateTime date(ZoneId zone) {
        if (found.containsKey(DatePattern.Field.UNIX_SECONDS)) {
            return Instant.ofEpochSecond(found.get(DatePattern.Field.UNIX_SECONDS))
                    .atZone(zone);
        }
        if (found.containsKey(DatePattern.Field.UNIX_MILLISECONDS)) {
            return Instant.ofEpochMilli(found.get(DatePattern.Field.UNIX_MILLISECONDS))
                    .atZone(zone);
        }
        var local = LocalDateTime.of(
                year(),
                first(1, DatePattern.Field.MONTH, DatePattern.Field.MONTH_TWO_DIGITS),
                first(1, DatePattern.Field.DAY, DatePattern.Field.DAY_TWO_DIGITS),
                hour(),
                first(0, DatePattern.Field.MINUTE, DatePattern.Field.MINUTE_TWO_DIGITS),
                first(0, DatePattern.Field.SECOND, DatePattern.Field.SECOND_TWO_DIGITS),
                first(0, DatePattern.Field.MILLISECOND) * 1_000_000);
        var offset = found.get(DatePattern.Field.OFFSET);
        return offset == null
                ? local.atZone(zone)
                : local.atOffset(ZoneOffset.ofTotalSeconds(Math.toIntExact(offset)))
                        .atZoneSameInstant(zone);
    }

    /** Two digits mean the years from 1969 to 2068. */
    private int year() {
        var ofCentury = first(-1, DatePattern.Field.YEAR_OF_CENTURY);
        if (ofCentury >= 0) {
            return ofCentury > 68 ? 1900 + ofCentury : 2000 + ofCentury;
        }
        return first(1970, DatePattern.Field.YEAR);
    }

    private int hour() {
        var ofHalf = first(-1, DatePattern.Field.HOUR_OF_HALF, DatePattern.Field.HOUR_OF_HALF_TWO_DIGITS);
        if (ofHalf < 0) {
            return first(0, DatePattern.Field.HOUR, DatePattern.Field.HOUR_TWO_DIGITS);
        }
        return ofHalf % 12 + 12 * first(0, DatePattern.Field.HALF_OF_DAY);
    }

    private int first(int absent, DatePattern.Field... fields) {
        for (var field : fields) {
            if (found.containsKey(field)) {
                return Math.toIntExact(found.get(field));
            }
        }
        return absent;
    }
}
