package io.millrace.base.core.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads the fields of one JSON object and collects every violation, in the words of the contract (admin-api 1.5).
 *
 * <p>A getter that finds a violation records it and returns a harmless placeholder; {@link #done()} then refuses the
 * whole input, so nothing built from a placeholder is used. Fields that are not asked for are ignored (1.3).
 *
 * <p>Null counts as absent depending on the origin of the object: not in the body of a request, whose reader says
 * {@link #orNull()} for the few fields that the contract lets be null; but in stored objects and in those written by other
 * systems.
 */
public final class Fields {
    /** Longest name or external id that an index of the database can store. */
    public static final int NAME_LENGTH_MAX = 255;

    private final String path;
    private final JsonNode node;
    private final List<String> problems;
    private final boolean nullIsAbsent;

    private Fields(String path, JsonNode node, List<String> problems, boolean nullIsAbsent) {
        this.path = path;
        this.node = node;
        this.problems = problems;
        this.nullIsAbsent = nullIsAbsent;
    }

    /**
     * Reads the fields of a part of a request.
     *
     * @param place body, querystring, params or headers
     */
    public static Fields of(String place, JsonNode node) {
        return of(place, node, new ArrayList<>());
    }

    /** Starts reading, with violations collected in a list that is shared with other places of the same request. */
    public static Fields of(String place, JsonNode node, List<String> problems) {
        var fields = new Fields(place + "/", node == null ? MissingNode.getInstance() : node, problems, true);
        if (!fields.node.isObject()) {
            problems.add(fields.path + " "
                    + FieldValue.expected("object", fields.node).problem());
        }
        return fields;
    }

    /** The same fields, read as fields that may be absent but not null (contract admin-api 0). */
    public Fields neverNull() {
        return new Fields(path, node, problems, false);
    }

    /** The same fields, read as fields that may be absent or null; an update with null clears the field. */
    public Fields orNull() {
        return new Fields(path, node, problems, true);
    }

    public void done() {
        Violations.refuseIfAny(problems);
    }

    public boolean isSound() {
        return problems.isEmpty();
    }

    /** A value that is not an object has no fields, and was refused as a whole. */
    public void refuse(String name, String text) {
        if (node.isObject()) {
            problems.add(path + name + " " + text);
        }
    }

    private <T> Optional<T> take(String name, FieldValue<T> found) {
        if (found.problem() != null) {
            refuse(name, found.problem());
        }
        return Optional.ofNullable(found.value());
    }

    /** Returns true if the object has the field, null included. */
    public boolean has(String name) {
        return node.has(name);
    }

    /** The field as it is; a missing node when absent. */
    public JsonNode raw(String name) {
        return node.path(name);
    }

    public String text(String name) {
        return textOf(name).orElse("");
    }

    public String text(String name, Pattern pattern) {
        return take(name, FieldValue.text(raw(name)).then(text -> FieldValue.matching(text, pattern)))
                .orElse("");
    }

    public String text(String name, int lengthMin, int lengthMax) {
        return take(name, FieldValue.text(raw(name)).then(text -> FieldValue.lengthWithin(text, lengthMin, lengthMax)))
                .orElse("");
    }

    /** Reads a value of any type through a function that makes a text of it; the text is bounded like any other. */
    public String textFor(String name, Function<JsonNode, String> text) {
        return take(name, FieldValue.text(TextNode.valueOf(text.apply(raw(name)))))
                .orElse("");
    }

    /** Names are indexed, so their length is limited. */
    public String name(String name, Pattern pattern) {
        return nameOf(name, pattern).orElse("");
    }

    public Optional<String> optionalText(String name) {
        return isAbsent(name) ? Optional.empty() : textOf(name);
    }

    public Optional<String> optionalName(String name) {
        return isAbsent(name) ? Optional.empty() : nameOf(name);
    }

    /** An optional name; must match if present. */
    public Optional<String> optionalName(String name, Pattern pattern) {
        return isAbsent(name) ? Optional.empty() : nameOf(name, pattern);
    }

    private Optional<String> nameOf(String name) {
        return take(name, readName(name));
    }

    private Optional<String> nameOf(String name, Pattern pattern) {
        return take(name, readName(name).then(text -> FieldValue.matching(text, pattern)));
    }

    private FieldValue<String> readName(String name) {
        return FieldValue.text(raw(name)).then(text -> FieldValue.lengthWithin(text, 0, NAME_LENGTH_MAX));
    }

    /** An optional text; must match if present. */
    public Optional<String> optionalText(String name, Pattern pattern) {
        return isAbsent(name) ? Optional.empty() : Optional.of(text(name, pattern));
    }

    public FieldChange<String> changedName(String name) {
        return changed(name, this::nameOf);
    }

    public FieldChange<String> changedText(String name) {
        return changed(name, this::textOf);
    }

    /** An e-mail address in lower case without surrounding blanks (contract admin-api 32.4). */
    public String email(String name) {
        return take(
                        name,
                        FieldValue.text(raw(name))
                                .then(text -> FieldValue.email(text.strip().toLowerCase(Locale.ROOT))))
                .orElse("");
    }

    /** An optional e-mail address, converted to lower case; surrounding blanks are a violation. */
    public Optional<String> optionalEmail(String name) {
        return isAbsent(name)
                ? Optional.empty()
                : take(name, FieldValue.text(raw(name)).then(text -> FieldValue.email(text.toLowerCase(Locale.ROOT))));
    }

    public Optional<Instant> optionalInstant(String name) {
        return isAbsent(name)
                ? Optional.empty()
                : take(name, FieldValue.text(raw(name)).then(FieldValue::instant));
    }

    public boolean flag(String name) {
        var value = node.path(name);
        if (isQuery() && isFlagText(value)) {
            return value.asBoolean();
        }
        return take(name, FieldValue.flag(value)).orElse(false);
    }

    /** A truth value that may be absent; in a query, any text but true and false counts as absent (1.3). */
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

    public FieldChange<Integer> changedInteger(String name, int min, int max) {
        return changed(name, field -> integerOf(field, min, max));
    }

    public Optional<Integer> optionalInteger(String name, int min, int max) {
        return isAbsent(name) ? Optional.empty() : integerOf(name, min, max);
    }

    public FieldChange<Double> changedNumber(String name) {
        return changed(name, field -> take(field, FieldValue.number(raw(field))));
    }

    public <E extends Enum<E>> E option(String name, Class<E> type) {
        return soundOption(name, type).orElse(type.getEnumConstants()[0]);
    }

    /** Required constant of an enum; empty after a violation, for a reader whose further fields depend on it. */
    public <E extends Enum<E>> Optional<E> soundOption(String name, Class<E> type) {
        return take(name, FieldValue.option(raw(name), type));
    }

    public <E extends Enum<E>> Optional<E> optionalOption(String name, Class<E> type) {
        return isAbsent(name) ? Optional.empty() : take(name, FieldValue.option(raw(name), type));
    }

    /** A single value counts as a list of one, an absent value as an empty list. */
    public <E extends Enum<E>> List<E> options(String name, Class<E> type) {
        var found = new ArrayList<E>();
        var index = 0;
        for (var text : texts(name)) {
            take(name + "/" + index++, FieldValue.option(text, type)).ifPresent(found::add);
        }
        return found;
    }

    public JsonNode container(String name) {
        var value = raw(name);
        if (!value.isContainerNode()) {
            refuse(name, "Invalid input: expected object or array");
        } else {
            FreeForm.problemOf(value).ifPresent(problem -> refuse(name, problem));
        }
        return value;
    }

    public FieldChange<ObjectNode> changedObject(String name) {
        return changed(name, this::freeFormOf);
    }

    /** A required object. Its reader bounds its content: it may be a chain of steps. */
    public ObjectNode object(String name) {
        return take(name, FieldValue.object(raw(name))).orElseGet(Json::object);
    }

    public Optional<ObjectNode> optionalObject(String name) {
        return isAbsent(name) ? Optional.empty() : freeFormOf(name);
    }

    public ArrayNode array(String name) {
        var value = node.path(name);
        if (value instanceof ArrayNode array) {
            return array;
        }
        take(name, FieldValue.expected("array", value));
        return Json.array();
    }

    /** Texts of an array; empty when absent. In a query, a single text counts as a list of one (1.3). */
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
            take(name + "/" + index++, FieldValue.text(item)).ifPresent(texts::add);
        }
        return texts;
    }

    public List<String> requiredTexts(String name) {
        return node.path(name).isArray() ? texts(name) : refusedTexts(name);
    }

    private List<String> refusedTexts(String name) {
        array(name);
        return List.of();
    }

    public Optional<List<String>> optionalTexts(String name) {
        return isAbsent(name) ? Optional.empty() : Optional.of(texts(name));
    }

    public Fields inner(String name) {
        var value = node.path(name);
        var inner = new Fields(path + name + "/", value, problems, nullIsAbsent);
        if (!value.isObject()) {
            take(name, FieldValue.expected("object", value));
        }
        return inner;
    }

    public Fields element(String name, int index, JsonNode element) {
        var inner = new Fields(path + name + "/" + index + "/", element, problems, nullIsAbsent);
        if (!element.isObject()) {
            take(name + "/" + index, FieldValue.expected("object", element));
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

    public Fields part(String name, ObjectNode holder) {
        return new Fields(path + name + "/", holder, problems, nullIsAbsent);
    }

    /** Returns true if the field is absent, or null where null counts as absent. */
    public boolean isAbsent(String name) {
        var value = node.path(name);
        return value.isMissingNode() || nullIsAbsent && value.isNull();
    }

    private <T> FieldChange<T> changed(String name, Function<String, Optional<T>> read) {
        if (!node.has(name)) {
            return FieldChange.keep();
        }
        return nullIsAbsent && node.path(name).isNull()
                ? FieldChange.to(null)
                : read.apply(name).map(FieldChange::to).orElse(FieldChange.keep());
    }

    private Optional<String> textOf(String name) {
        return take(name, FieldValue.text(raw(name)));
    }

    private Optional<ObjectNode> freeFormOf(String name) {
        return take(name, FieldValue.freeForm(raw(name)));
    }

    private Optional<Integer> integerOf(String name, int min, int max) {
        var value = raw(name);
        return take(
                name,
                value.isTextual() && isQuery()
                        ? FieldValue.integerOfText(value.textValue(), min, max)
                        : FieldValue.integer(value, min, max));
    }
}
