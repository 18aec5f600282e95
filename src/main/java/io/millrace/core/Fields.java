package io.millrace.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the fields of one JSON object and collects every violation, in the words of the contract (admin-api 1.5).
 *
 * <p>A getter that finds a violation records it and returns a harmless stand-in; {@link #done()} then refuses the
 * whole input, so nothing built from a stand-in ever leaves. Fields that are not asked for are ignored (1.3).
 */
public final class Fields {
    private static final Pattern EMAIL = Pattern.compile(
            "^(?!\\.)(?!.*\\.\\.)[A-Za-z0-9_'+\\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\\.)+[A-Za-z]{2,}$");

    private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,18}(\\.[0-9]{1,18})?");

    /** What ISO-8601 without a sign can say, and PostgreSQL keep. */
    private static final int YEAR_MAX = 9999;

    /** No single text of the API is longer, the source of a code step included; what may be is read raw. */
    private static final int TEXT_LENGTH_MAX = 1_000_000;

    /** Longest name or external id: what an index of the database can keep. */
    public static final int NAME_LENGTH_MAX = 255;

    private static final String NUL_REFUSED = "Invalid string: must not contain the NUL character";

    private final String path;
    private final JsonNode node;
    private final List<String> problems;

    private Fields(String path, JsonNode node, List<String> problems) {
        this.path = path;
        this.node = node;
        this.problems = problems;
    }

    /**
     * Starts reading.
     *
     * @param place body, querystring, params or headers
     */
    public static Fields of(String place, JsonNode node) {
        return of(place, node, new ArrayList<>());
    }

    /** Starts reading, with violations collected in a list that is shared with other places of the same request. */
    public static Fields of(String place, JsonNode node, List<String> problems) {
        var fields = new Fields(place + "/", node == null ? MissingNode.getInstance() : node, problems);
        if (!fields.node.isObject()) {
            fields.refuseSelf("Invalid input: expected object, received " + kindOf(fields.node));
        }
        return fields;
    }

    /** Refuses the input when anything was wrong with it. */
    public void done() {
        refuseIfAny(problems);
    }

    /** Refuses the input when the list has a violation. */
    public static void refuseIfAny(List<String> problems) {
        if (!problems.isEmpty()) {
            throw ApiException.of(ErrorCode.INVALID_INPUT, String.join(", ", problems));
        }
    }

    /** Whether nothing was wrong so far. */
    public boolean isSound() {
        return problems.isEmpty();
    }

    /** Records a violation of a field; what is no object has no fields, and was refused as a whole. */
    public void refuse(String name, String text) {
        if (node.isObject()) {
            problems.add(path + name + " " + text);
        }
    }

    private void refuseSelf(String text) {
        problems.add(path + " " + text);
    }

    /** Whether the object has the field, null included. */
    public boolean has(String name) {
        return node.has(name);
    }

    /** The field as it is; a missing node when absent. */
    public JsonNode raw(String name) {
        return node.path(name);
    }

    /** A text that must be there. */
    public String text(String name) {
        return textOf(name).orElse("");
    }

    /** A text that must be there and match. */
    public String text(String name, Pattern pattern) {
        var value = textOf(name);
        value.ifPresent(text -> check(name, text, pattern));
        return value.orElse("");
    }

    /** A text that must be there and have so many characters. */
    public String text(String name, int lengthMin, int lengthMax) {
        var value = textOf(name);
        value.ifPresent(text -> checkLength(name, text, lengthMin, lengthMax));
        return value.orElse("");
    }

    /** A name that must be there and match; names are indexed, so they have a length. */
    public String name(String name, Pattern pattern) {
        var value = nameOf(name);
        value.ifPresent(text -> check(name, text, pattern));
        return value.orElse("");
    }

    /** A text that may be absent or null. */
    public Optional<String> optionalText(String name) {
        return isAbsent(name) ? Optional.empty() : textOf(name);
    }

    /** A name that may be absent or null. */
    public Optional<String> optionalName(String name) {
        return isAbsent(name) ? Optional.empty() : nameOf(name);
    }

    /** A name that may be absent or null, and else must match. */
    public Optional<String> optionalName(String name, Pattern pattern) {
        var value = optionalName(name);
        value.ifPresent(text -> check(name, text, pattern));
        return value;
    }

    private Optional<String> nameOf(String name) {
        var value = textOf(name);
        value.ifPresent(text -> checkLength(name, text, 0, NAME_LENGTH_MAX));
        return value;
    }

    /** A text that may be absent or null, and else must match. */
    public Optional<String> optionalText(String name, Pattern pattern) {
        var value = optionalText(name);
        value.ifPresent(text -> check(name, text, pattern));
        return value;
    }

    /** A name that may be absent, or null to clear the field. */
    public Change<String> changedName(String name) {
        return changed(name, this::nameOf);
    }

    /** A text that may be absent, or null to clear the field. */
    public Change<String> changedText(String name) {
        return changed(name, this::textOf);
    }

    /** An e-mail address in lower case without surrounding blanks (contract admin-api 32.4). */
    public String email(String name) {
        var value = textOf(name).map(text -> text.strip().toLowerCase(java.util.Locale.ROOT));
        value.ifPresent(text -> checkEmail(name, text));
        return value.orElse("");
    }

    /** An e-mail address that may be absent or null. */
    public Optional<String> optionalEmail(String name) {
        return isAbsent(name) ? Optional.empty() : Optional.of(email(name));
    }

    /** A time in ISO-8601 that may be absent or null. */
    public Optional<Instant> optionalInstant(String name) {
        return optionalText(name).flatMap(text -> {
            try {
                var time = OffsetDateTime.parse(text);
                if (time.getYear() >= 0 && time.getYear() <= YEAR_MAX) {
                    return Optional.of(time.toInstant());
                }
            } catch (DateTimeException malformed) {
                // Said below, in the same words as of a year that nothing can have.
            }
            refuse(name, "Invalid ISO datetime");
            return Optional.empty();
        });
    }

    /** A truth value that must be there. */
    public boolean flag(String name) {
        var value = node.path(name);
        if (isQuery() && isFlagText(value)) {
            return value.asBoolean();
        }
        if (!value.isBoolean()) {
            refuse(name, "Invalid input: expected boolean, received " + kindOf(value));
        }
        return value.asBoolean();
    }

    /** A truth value that may be absent or null; in a query, any text but true and false counts as absent (1.3). */
    public Optional<Boolean> optionalFlag(String name) {
        var absent = isAbsent(name) || isQuery() && !isFlagText(node.path(name));
        return absent ? Optional.empty() : Optional.of(flag(name));
    }

    private boolean isQuery() {
        return path.startsWith("querystring");
    }

    private static boolean isFlagText(JsonNode value) {
        return value.isTextual()
                && (value.textValue().equals("true") || value.textValue().equals("false"));
    }

    /** A whole number that may be absent, or null to clear the field. */
    public Change<Integer> changedInteger(String name, int min, int max) {
        return changed(name, field -> integerOf(field, min, max));
    }

    /** A whole number that may be absent or null. */
    public Optional<Integer> optionalInteger(String name, int min, int max) {
        return isAbsent(name) ? Optional.empty() : integerOf(name, min, max);
    }

    /** A number, whole or not, that may be absent or null to clear the field. */
    public Change<Double> changedNumber(String name) {
        return changed(name, field -> {
            var value = node.path(field);
            if (!value.isNumber()) {
                refuse(field, "Invalid input: expected number, received " + kindOf(value));
                return Optional.empty();
            }
            return Optional.of(value.doubleValue());
        });
    }

    /** One constant of an enum. */
    public <E extends Enum<E>> E option(String name, Class<E> type) {
        return optionOf(name, type).orElse(type.getEnumConstants()[0]);
    }

    /** One constant of an enum, or nothing when absent or null. */
    public <E extends Enum<E>> Optional<E> optionalOption(String name, Class<E> type) {
        return isAbsent(name) ? Optional.empty() : optionOf(name, type);
    }

    /** Constants of an enum; empty when absent. A single value counts as a list of one. */
    public <E extends Enum<E>> List<E> options(String name, Class<E> type) {
        var found = new ArrayList<E>();
        var index = 0;
        for (var text : texts(name)) {
            var place = name + "/" + index++;
            constantOf(text, type)
                    .ifPresentOrElse(
                            found::add, () -> refuse(place, "Invalid option: expected one of " + namesOf(type)));
        }
        return found;
    }

    /** Free-form object that may be absent, or null to clear the field. */
    public Change<ObjectNode> changedObject(String name) {
        return changed(name, this::freeFormOf);
    }

    /** Object that must be there. Its reader bounds what it holds: it may be a chain of steps. */
    public ObjectNode object(String name) {
        return objectOf(name).orElseGet(Json::object);
    }

    /** Free-form object that may be absent or null. */
    public Optional<ObjectNode> optionalObject(String name) {
        return isAbsent(name) ? Optional.empty() : freeFormOf(name);
    }

    /** Array that must be there. */
    public ArrayNode array(String name) {
        var value = node.path(name);
        if (value instanceof ArrayNode array) {
            return array;
        }
        refuse(name, "Invalid input: expected array, received " + kindOf(value));
        return Json.array();
    }

    /** Texts of an array; empty when absent or null. In a query, a single text counts as a list of one (1.3). */
    public List<String> texts(String name) {
        var value = node.path(name);
        if (isAbsent(name)) {
            return List.of();
        }
        if (value.isTextual() && isQuery()) {
            return textOf(name).map(List::of).orElse(List.of());
        }
        var texts = new ArrayList<String>();
        var index = 0;
        for (var item : array(name)) {
            if (item.isTextual() && item.textValue().indexOf('\0') < 0) {
                texts.add(item.asText());
            } else if (item.isTextual()) {
                refuse(name + "/" + index, NUL_REFUSED);
            } else {
                refuse(name + "/" + index, "Invalid input: expected string, received " + kindOf(item));
            }
            index++;
        }
        return texts;
    }

    /** Texts of an array, or nothing when absent or null: an empty array is a wish too. */
    public Optional<List<String>> optionalTexts(String name) {
        return isAbsent(name) ? Optional.empty() : Optional.of(texts(name));
    }

    /** The fields of an object inside this one; its violations are collected here. */
    public Fields inner(String name) {
        var value = node.path(name);
        var inner = new Fields(path + name + "/", value, problems);
        if (!value.isObject()) {
            refuse(name, "Invalid input: expected object, received " + kindOf(value));
        }
        return inner;
    }

    /** The fields of an element of an array inside this object; its violations are collected here. */
    public Fields element(String name, int index, JsonNode element) {
        var inner = new Fields(path + name + "/" + index + "/", element, problems);
        if (!element.isObject()) {
            refuse(name + "/" + index, "Invalid input: expected object, received " + kindOf(element));
        }
        return inner;
    }

    /** The page that {@code limit} and {@code cursor} ask for (1.7). */
    public PageRequest page(int limitDefault) {
        var limit = optionalInteger("limit", 0, Integer.MAX_VALUE).orElse(0);
        var bounded = limit == 0 ? limitDefault : Math.min(limit, PageRequest.LIMIT_MAX);
        var page = PageRequest.parse(
                bounded, optionalText("cursor").filter(text -> !text.isEmpty()).orElse(null));
        if (page.isEmpty()) {
            refuse("cursor", "Invalid input: expected a cursor of an earlier answer");
        }
        return page.orElseGet(() -> new PageRequest(bounded, null, false));
    }

    /** Whether the field is absent or null. */
    public boolean isAbsent(String name) {
        var value = node.path(name);
        return value.isMissingNode() || value.isNull();
    }

    private <T> Change<T> changed(String name, Function<String, Optional<T>> read) {
        if (!node.has(name)) {
            return Change.keep();
        }
        return node.path(name).isNull()
                ? Change.to(null)
                : read.apply(name).map(Change::to).orElse(Change.keep());
    }

    private Optional<String> textOf(String name) {
        var value = node.path(name);
        if (!value.isTextual()) {
            refuse(name, "Invalid input: expected string, received " + kindOf(value));
            return Optional.empty();
        }
        if (value.asText().indexOf('\0') >= 0) {
            refuse(name, NUL_REFUSED);
            return Optional.empty();
        }
        if (value.textValue().length() > TEXT_LENGTH_MAX) {
            refuse(name, "Too big: expected string to have <=" + TEXT_LENGTH_MAX + " characters");
            return Optional.empty();
        }
        return Optional.of(value.asText());
    }

    private Optional<ObjectNode> freeFormOf(String name) {
        var object = objectOf(name);
        var problem = object.flatMap(FreeForm::problemOf);
        problem.ifPresent(text -> refuse(name, text));
        return problem.isPresent() ? Optional.empty() : object;
    }

    private Optional<ObjectNode> objectOf(String name) {
        if (node.path(name) instanceof ObjectNode object) {
            return Optional.of(object);
        }
        refuse(name, "Invalid input: expected object, received " + kindOf(node.path(name)));
        return Optional.empty();
    }

    private Optional<Integer> integerOf(String name, int min, int max) {
        var value = node.path(name);
        if (value.isTextual() && isQuery()) {
            return integerOfText(name, value.asText(), min, max);
        }
        if (!value.isNumber()) {
            refuse(name, "Invalid input: expected number, received " + kindOf(value));
            return Optional.empty();
        }
        return wholeInRange(name, value.doubleValue(), min, max);
    }

    /** An empty text is the number 0, as clients that turn texts into numbers have it. */
    private Optional<Integer> integerOfText(String name, String text, int min, int max) {
        if (text.isBlank()) {
            return inRange(name, 0, min, max);
        }
        if (!NUMBER.matcher(text.strip()).matches()) {
            refuse(name, "Invalid input: expected number, received NaN");
            return Optional.empty();
        }
        return wholeInRange(name, Double.parseDouble(text.strip()), min, max);
    }

    private Optional<Integer> wholeInRange(String name, double value, int min, int max) {
        if (value != Math.rint(value)) {
            refuse(name, "Invalid input: expected int, received number");
            return Optional.empty();
        }
        return inRange(name, value, min, max);
    }

    private Optional<Integer> inRange(String name, double value, int min, int max) {
        if (value < min) {
            refuse(name, "Too small: expected number to be >=" + min);
            return Optional.empty();
        }
        if (value > max) {
            refuse(name, "Too big: expected number to be <=" + max);
            return Optional.empty();
        }
        return Optional.of((int) value);
    }

    private <E extends Enum<E>> Optional<E> optionOf(String name, Class<E> type) {
        var value = node.path(name);
        var constant = value.isTextual() ? constantOf(value.asText(), type) : Optional.<E>empty();
        if (constant.isEmpty()) {
            refuse(name, "Invalid option: expected one of " + namesOf(type));
        }
        return constant;
    }

    private static <E extends Enum<E>> Optional<E> constantOf(String text, Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> constant.name().equals(text))
                .findFirst();
    }

    private static <E extends Enum<E>> String namesOf(Class<E> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> '"' + constant.name() + '"')
                .collect(Collectors.joining("|"));
    }

    private void check(String name, String text, Pattern pattern) {
        if (!pattern.matcher(text).find()) {
            refuse(name, "Invalid string: must match pattern /" + pattern.pattern() + "/");
        }
    }

    private void checkLength(String name, String text, int min, int max) {
        if (text.length() < min) {
            refuse(name, "Too small: expected string to have >=" + min + " characters");
        } else if (text.length() > max) {
            refuse(name, "Too big: expected string to have <=" + max + " characters");
        }
    }

    private void checkEmail(String name, String text) {
        if (text.length() > 254 || !EMAIL.matcher(text).matches()) {
            refuse(name, "Invalid email address");
        }
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
