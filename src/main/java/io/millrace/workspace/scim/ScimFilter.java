package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Filter expression on a resource (RFC 7644, 3.4.2.2). Names and texts are compared without regard to case. */
sealed interface ScimFilter {
    record All(List<ScimFilter> parts) implements ScimFilter {}

    record Any(List<ScimFilter> parts) implements ScimFilter {}

    record Not(ScimFilter part) implements ScimFilter {}

    record Compares(String path, Operator operator, JsonNode value) implements ScimFilter {}

    /**
     * Compares the values of an attribute that match a nested filter: {@code emails[type eq "work"].value eq "x"}; or tests
     * that one exists.
     *
     * @param like filter of the attribute's values
     * @param sub attribute of such a value that is compared; empty for the value itself
     */
    record Among(String path, ScimFilter like, String sub, Operator operator, JsonNode value) implements ScimFilter {}

    enum Operator {
        EQ,
        NE,
        CO,
        SW,
        EW,
        GT,
        GE,
        LT,
        LE,
        /** Presence of a value. */
        PR
    }

    static ScimFilter parse(String text) {
        return new ScimFilterParser(text).whole();
    }

    default boolean matches(JsonNode resource) {
        return switch (this) {
            case All(var parts) -> parts.stream().allMatch(part -> part.matches(resource));
            case Any(var parts) -> parts.stream().anyMatch(part -> part.matches(resource));
            case Not(var part) -> !part.matches(resource);
            case Compares(var path, var operator, var value) -> compares(valuesAt(resource, path), operator, value);
            case Among among -> matchesAmong(resource, among);
        };
    }

    private static boolean matchesAmong(JsonNode resource, Among among) {
        var found = new ArrayList<JsonNode>();
        for (var element : elementsAt(resource, among.path())) {
            if (among.like().matches(element)) {
                found.addAll(among.sub().isEmpty() ? ownValues(element) : valuesAt(element, among.sub()));
            }
        }
        return compares(found, among.operator(), among.value());
    }

    /** The text that an attribute must equal for a resource to match; empty when the filter does not require one. */
    default Optional<String> required(String attribute) {
        return switch (this) {
            case Compares(var path, var operator, var value) ->
                operator == Operator.EQ && path.equalsIgnoreCase(attribute) && value.isTextual()
                        ? Optional.of(value.textValue())
                        : Optional.empty();
            case Among(var path, var _, var sub, var operator, var value) ->
                new Compares(sub.isEmpty() ? path : path + "." + sub, operator, value).required(attribute);
            case All(var parts) ->
                parts.stream()
                        .flatMap(part -> part.required(attribute).stream())
                        .findFirst();
            case Any _, Not _ -> Optional.empty();
        };
    }

    default long comparisons() {
        return switch (this) {
            case All(var parts) ->
                parts.stream().mapToLong(ScimFilter::comparisons).sum();
            case Any(var parts) ->
                parts.stream().mapToLong(ScimFilter::comparisons).sum();
            case Not(var part) -> part.comparisons();
            case Among(var _, var like, var _, var _, var _) -> 1 + like.comparisons();
            case Compares _ -> 1;
        };
    }

    private static boolean compares(List<JsonNode> found, Operator operator, JsonNode wanted) {
        return switch (operator) {
            case PR ->
                found.stream()
                        .anyMatch(value -> !value.isNull() && !value.asText("x").isEmpty());
            case NE -> found.stream().noneMatch(value -> isEqual(value, wanted));
            case EQ -> found.stream().anyMatch(value -> isEqual(value, wanted));
            case CO -> found.stream().anyMatch(value -> lower(value).contains(lower(wanted)));
            case SW -> found.stream().anyMatch(value -> lower(value).startsWith(lower(wanted)));
            case EW -> found.stream().anyMatch(value -> lower(value).endsWith(lower(wanted)));
            case GT -> found.stream().anyMatch(value -> lower(value).compareTo(lower(wanted)) > 0);
            case GE -> found.stream().anyMatch(value -> lower(value).compareTo(lower(wanted)) >= 0);
            case LT -> found.stream().anyMatch(value -> lower(value).compareTo(lower(wanted)) < 0);
            case LE -> found.stream().anyMatch(value -> lower(value).compareTo(lower(wanted)) <= 0);
        };
    }

    private static boolean isEqual(JsonNode found, JsonNode wanted) {
        return wanted.isNull() ? found.isNull() : lower(found).equals(lower(wanted));
    }

    private static String lower(JsonNode value) {
        return value.asText("").toLowerCase(Locale.ROOT);
    }

    /** Values of an attribute, one or many; a complex value counts by its {@code value}. */
    private static List<JsonNode> valuesAt(JsonNode resource, String path) {
        var step = path.indexOf('.');
        var head = step < 0 ? path : path.substring(0, step);
        var found = new ArrayList<JsonNode>();
        for (var value : each(ScimPatch.field(resource, head))) {
            found.addAll(step >= 0 ? valuesAt(value, path.substring(step + 1)) : ownValues(value));
        }
        return found;
    }

    private static List<JsonNode> ownValues(JsonNode value) {
        return value.isObject() ? each(ScimPatch.field(value, "value")) : List.of(value);
    }

    private static List<JsonNode> elementsAt(JsonNode resource, String path) {
        var step = path.indexOf('.');
        var heads = each(ScimPatch.field(resource, step < 0 ? path : path.substring(0, step)));
        return step < 0
                ? heads
                : heads.stream()
                        .flatMap(head -> elementsAt(head, path.substring(step + 1)).stream())
                        .toList();
    }

    private static List<JsonNode> each(JsonNode value) {
        if (value.isMissingNode()) {
            return List.of();
        }
        var values = new ArrayList<JsonNode>();
        if (value.isArray()) {
            value.forEach(values::add);
        } else {
            values.add(value);
        }
        return values;
    }
}
