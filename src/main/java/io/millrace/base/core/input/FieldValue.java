package io.millrace.base.core.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Result of reading one value: a value of the wanted type, or the violation in the words of the contract (admin-api 1.5).
 *
 * @param value the value read; null with a problem
 * @param problem violation; null with a value
 */
record FieldValue<T>(T value, String problem) {
    private static final Pattern EMAIL = Pattern.compile(
            "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+\\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$");

    private static final int EMAIL_LENGTH_MAX = 254;
    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,18}(\\.[0-9]{1,18})?");

    /** Largest year of ISO-8601 without a sign. */
    private static final int YEAR_MAX = 9999;

    /** No single text of the API is longer, the source of a code step included; values that may be longer are read raw. */
    private static final int TEXT_LENGTH_MAX = 1_000_000;

    private static <T> FieldValue<T> of(T value) {
        return new FieldValue<>(value, null);
    }

    private static <T> FieldValue<T> refused(String problem) {
        return new FieldValue<>(null, problem);
    }

    static <T> FieldValue<T> expected(String kind, JsonNode found) {
        return refused("Invalid input: expected " + kind + ", received " + kindOf(found));
    }

    <R> FieldValue<R> then(Function<T, FieldValue<R>> next) {
        return problem == null ? next.apply(value) : refused(problem);
    }

    static FieldValue<String> text(JsonNode found) {
        if (!found.isTextual()) {
            return expected("string", found);
        }
        if (!FreeForm.isStorable(found.textValue())) {
            return refused(FreeForm.NOT_STORABLE);
        }
        return lengthWithin(found.textValue(), 0, TEXT_LENGTH_MAX);
    }

    static FieldValue<String> lengthWithin(String text, int min, int max) {
        if (text.length() < min) {
            return refused("Too small: expected string to have >=" + min + " characters");
        }
        return text.length() > max ? refused("Too big: expected string to have <=" + max + " characters") : of(text);
    }

    static FieldValue<String> matching(String text, Pattern pattern) {
        return pattern.matcher(text).matches()
                ? of(text)
                : refused("Invalid string: must match pattern /" + pattern.pattern() + "/");
    }

    static FieldValue<String> email(String text) {
        return text.length() <= EMAIL_LENGTH_MAX && EMAIL.matcher(text).matches()
                ? of(text)
                : refused("Invalid email address");
    }

    static FieldValue<Instant> instant(String text) {
        try {
            var time = OffsetDateTime.parse(text);
            if (time.getYear() >= 0 && time.getYear() <= YEAR_MAX) {
                return of(time.toInstant());
            }
        } catch (DateTimeException malformed) {
            // Reported below, in the same words as a year out of range.
        }
        return refused("Invalid ISO datetime");
    }

    static FieldValue<Boolean> flag(JsonNode found) {
        return found.isBoolean() ? of(found.booleanValue()) : expected("boolean", found);
    }

    static FieldValue<Double> number(JsonNode found) {
        return found.isNumber() ? of(found.doubleValue()) : expected("number", found);
    }

    static FieldValue<Integer> integer(JsonNode found, int min, int max) {
        return number(found).then(value -> wholeWithin(value, min, max));
    }

    /** An empty text is the number 0, as clients that turn texts into numbers have it. */
    static FieldValue<Integer> integerOfText(String text, int min, int max) {
        var digits = text.isBlank() ? "0" : text.strip();
        return NUMBER.matcher(digits).matches()
                ? wholeWithin(Double.parseDouble(digits), min, max)
                : refused("Invalid input: expected number, received NaN");
    }

    private static FieldValue<Integer> wholeWithin(double value, int min, int max) {
        if (value != Math.rint(value)) {
            return refused("Invalid input: expected int, received number");
        }
        if (value < min) {
            return refused("Too small: expected number to be >=" + min);
        }
        return value > max ? refused("Too big: expected number to be <=" + max) : of((int) value);
    }

    static FieldValue<ObjectNode> object(JsonNode found) {
        return found instanceof ObjectNode object ? of(object) : expected("object", found);
    }

    /** An object that is kept unchanged, within the bounds of {@link FreeForm}. */
    static FieldValue<ObjectNode> freeForm(JsonNode found) {
        return object(found)
                .then(object -> FreeForm.problemOf(object)
                        .<FieldValue<ObjectNode>>map(FieldValue::refused)
                        .orElseGet(() -> of(object)));
    }

    static <E extends Enum<E>> FieldValue<E> option(JsonNode found, Class<E> type) {
        return found.isTextual() ? option(found.textValue(), type) : refused(optionsOf(type));
    }

    static <E extends Enum<E>> FieldValue<E> option(String text, Class<E> type) {
        Optional<E> constant = Arrays.stream(type.getEnumConstants())
                .filter(candidate -> candidate.name().equals(text))
                .findFirst();
        return constant.map(FieldValue::of).orElseGet(() -> refused(optionsOf(type)));
    }

    private static <E extends Enum<E>> String optionsOf(Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> '"' + constant.name() + '"')
                .collect(Collectors.joining("|", "Invalid option: expected one of ", ""));
    }

    private static String kindOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case MISSING -> "undefined";
            case NULL -> "null";
            case BOOLEAN -> "boolean";
            case NUMBER -> "number";
            case STRING -> "string";
            case ARRAY -> "array";
            case OBJECT, POJO, BINARY -> "object";
        };
    }
}
