package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Operations that change a resource (RFC 7644, 3.5.2), in the forms that directories send: with a path or without one, their
 * names in either case, and names with dots instead of objects. Works on the resource's JSON, without its semantics.
 */
final class ScimPatch {
    private static final int OPERATIONS_MAX = 1_000;

    /** Maximum number of members of a group. */
    private static final int VALUES_MAX = 10_000;

    /** Limit of comparisons of all filters of a patch, each with each value: about one second. */
    private static final long COMPARISONS_MAX = 20_000_000;

    private static final String VALUE = "value";

    private ScimPatch() {}

    private enum Kind {
        ADD,
        REPLACE,
        REMOVE
    }

    static ObjectNode apply(ObjectNode resource, JsonNode patch) {
        var operations = field(patch, "Operations");
        if (!operations.isArray() || operations.isEmpty() || operations.size() > OPERATIONS_MAX) {
            throw ScimFailures.invalidSyntax("expected Operations, 1 to " + OPERATIONS_MAX);
        }
        var result = resource.deepCopy();
        var comparisons = 0L;
        for (var operation : operations) {
            comparisons += comparisons(result, operation);
            if (comparisons > COMPARISONS_MAX) {
                throw ScimFailures.invalidSyntax("expected fewer Operations with filters over fewer values");
            }
            apply(result, operation, kindOf(operation));
        }
        return result;
    }

    private static long comparisons(ObjectNode resource, JsonNode operation) {
        var path = field(operation, "path");
        if (!path.isTextual() || path.textValue().indexOf('[') < 0) {
            return 0;
        }
        var wanted = ScimPath.parse(path.textValue());
        var values = field(resource, wanted.attribute()).size();
        return values * wanted.filter().map(ScimFilter::comparisons).orElse(0L);
    }

    private static Kind kindOf(JsonNode operation) {
        var word = field(operation, "op").asText("").toUpperCase(Locale.ROOT);
        for (var kind : Kind.values()) {
            if (kind.name().equals(word)) {
                return kind;
            }
        }
        throw ScimFailures.invalidSyntax("expected add, replace or remove as op");
    }

    private static void apply(ObjectNode resource, JsonNode operation, Kind kind) {
        var path = field(operation, "path");
        var value = field(operation, VALUE);
        if (kind != Kind.REMOVE && value.isMissingNode()) {
            throw ScimFailures.invalidValue("expected a value");
        }
        if (value.size() > VALUES_MAX) {
            throw tooMany();
        }
        if (path.isTextual()) {
            apply(resource, ScimPath.parse(path.textValue()), kind, value);
        } else if (kind == Kind.REMOVE) {
            throw ScimFailures.noTarget();
        } else if (value instanceof ObjectNode attributes) {
            attributes
                    .properties()
                    .forEach(attribute -> pathless(resource, attribute.getKey(), kind, attribute.getValue()));
        } else {
            throw ScimFailures.invalidValue("expected an object as value of an operation without a path");
        }
    }

    /** The name of an extension denotes the object of its attributes. */
    private static void pathless(ObjectNode resource, String name, Kind kind, JsonNode value) {
        var isExtension = name.regionMatches(true, 0, "urn:", 0, 4) && value.isObject();
        if (isExtension) {
            value.properties()
                    .forEach(attribute ->
                            set((ObjectNode) child(resource, name), attribute.getKey(), kind, attribute.getValue()));
        } else {
            apply(resource, ScimPath.parse(name), kind, value);
        }
    }

    private static void apply(ObjectNode resource, ScimPath path, Kind kind, JsonNode value) {
        var owner = path.schema()
                .map(schema -> (ObjectNode) child(resource, schema))
                .orElse(resource);
        if (path.filter().isPresent()) {
            applyToMatching(owner, path, kind, value);
        } else if (path.sub().isPresent()) {
            set((ObjectNode) child(owner, path.attribute()), path.sub().get(), kind, value);
        } else {
            set(owner, path.attribute(), kind, value);
        }
    }

    /** Adds a matching value where none matches: directories fill in empty attributes this way. */
    private static void applyToMatching(ObjectNode owner, ScimPath path, Kind kind, JsonNode value) {
        var filter = path.filter().orElseThrow();
        var values = values(owner, path.attribute());
        var matching = new ArrayList<ObjectNode>();
        values.forEach(candidate -> {
            if (candidate instanceof ObjectNode object && filter.matches(object)) {
                matching.add(object);
            }
        });
        if (kind == Kind.REMOVE && path.sub().isEmpty()) {
            removeAll(values, matching);
            return;
        }
        if (matching.isEmpty() && kind != Kind.REMOVE) {
            var made = values.addObject();
            if (filter instanceof ScimFilter.Compares(var name, var operator, var wanted)
                    && operator == ScimFilter.Operator.EQ) {
                made.set(name, wanted);
            }
            matching.add(made);
        }
        for (var object : matching) {
            if (path.sub().isPresent()) {
                set(object, path.sub().get(), kind, value);
            } else if (value instanceof ObjectNode more) {
                object.setAll(more);
            }
        }
    }

    private static void removeAll(ArrayNode values, List<ObjectNode> matching) {
        var leaving = new HashSet<JsonNode>(matching);
        keep(values, value -> !leaving.contains(value));
    }

    private static ArrayNode values(ObjectNode owner, String attribute) {
        var name = nameIn(owner, attribute);
        return owner.get(name) instanceof ArrayNode array ? array : owner.putArray(name);
    }

    private static void set(ObjectNode owner, String attribute, Kind kind, JsonNode value) {
        var name = nameIn(owner, attribute);
        var present = owner.get(name);
        switch (kind) {
            case REMOVE -> remove(owner, name, present, value);
            case ADD -> {
                if (present instanceof ArrayNode array) {
                    addAll(array, value);
                } else if (present instanceof ObjectNode object && value instanceof ObjectNode more) {
                    object.setAll(more);
                } else {
                    owner.set(name, value);
                }
            }
            case REPLACE -> {
                if (present instanceof ObjectNode object && value instanceof ObjectNode more) {
                    object.setAll(more);
                } else {
                    owner.set(name, value);
                }
            }
        }
    }

    /** Some directories send the values to remove in {@code value}, and not in the path. */
    private static void remove(ObjectNode owner, String name, JsonNode present, JsonNode value) {
        if (!(present instanceof ArrayNode array) || value.isMissingNode() || value.isNull()) {
            owner.remove(name);
            return;
        }
        var named = idsOf(value);
        keep(array, member -> !named.contains(idOf(member)));
    }

    /** Removes in one pass: single removals would shift the rest of the array each time. */
    private static void keep(ArrayNode array, Predicate<JsonNode> stays) {
        var kept = array.valueStream().filter(stays).toList();
        array.removeAll();
        array.addAll(kept);
    }

    private static void addAll(ArrayNode array, JsonNode value) {
        var there = idsOf(array);
        for (var more : value.isArray() ? value : Json.array().add(value)) {
            var id = idOf(more);
            if (id.isEmpty() || !there.contains(id)) {
                array.add(more);
                there.add(id);
            }
        }
        if (array.size() > VALUES_MAX) {
            throw tooMany();
        }
    }

    private static ApiException tooMany() {
        return ScimFailures.invalidValue("expected at most " + VALUES_MAX + " values of an attribute");
    }

    private static Set<String> idsOf(JsonNode values) {
        var ids = new HashSet<String>();
        (values.isArray() ? values : Json.array().add(values)).forEach(value -> ids.add(idOf(value)));
        return ids;
    }

    private static String idOf(JsonNode value) {
        return value.isObject() ? field(value, VALUE).asText("") : value.asText("");
    }

    private static JsonNode child(ObjectNode owner, String name) {
        var known = nameIn(owner, name);
        return owner.get(known) instanceof ObjectNode object ? object : owner.putObject(known);
    }

    /** Names of attributes are compared without regard to case (RFC 7643, 2.1). */
    private static String nameIn(ObjectNode owner, String name) {
        return found(owner, name).orElse(name);
    }

    private static Optional<String> found(JsonNode owner, String name) {
        return owner.has(name)
                ? Optional.of(name)
                : owner.propertyStream()
                        .map(Map.Entry::getKey)
                        .filter(name::equalsIgnoreCase)
                        .findFirst();
    }

    /** A field by its name without regard to case; a missing node when there is none. */
    static JsonNode field(JsonNode owner, String name) {
        return found(owner, name).map(owner::get).orElseGet(MissingNode::getInstance);
    }
}
