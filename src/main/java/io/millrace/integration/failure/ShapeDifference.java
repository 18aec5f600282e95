package io.millrace.integration.failure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.integration.failure.DataShape.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Difference at one path between the shapes of former and present data. The parts below a path that differs are not compared.
 *
 * @param path such as {@code order.items[].price}; empty for the whole value
 * @param before types of the former data; empty for a new field
 * @param now types of the present data; empty for a missing field
 */
public record ShapeDifference(String path, Kind kind, Set<DataShape.Type> before, Set<DataShape.Type> now) {
    public enum Kind {
        /** Every former object has the field, and some present one does not. */
        MISSING_FIELD("missingField"),
        /** No former object has the field. */
        NEW_FIELD("newField"),
        /** Null is among the present values, and was not among the former ones. */
        NULL_VALUE("nullValue"),
        /** A list is empty, and no former one was. */
        EMPTY_LIST("emptyList"),
        /** A present value has a type that no former one had. */
        OTHER_TYPE("otherType");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** The name that clients use. */
        public String text() {
            return text;
        }
    }

    private static final Pattern PLAIN_NAME = Pattern.compile("[\\p{L}\\p{N}_$-]+");

    public ShapeDifference {
        before = Set.copyOf(before);
        now = Set.copyOf(now);
    }

    /** Differences in the order of the former fields, new fields last; at most a given number. */
    public static List<ShapeDifference> between(DataShape before, DataShape now, int limit) {
        var found = new ArrayList<ShapeDifference>();
        compare("", before.root(), now.root(), limit, found);
        return List.copyOf(found);
    }

    private static void compare(String path, Position before, Position now, int limit, List<ShapeDifference> found) {
        if (found.size() >= limit || before.values() == 0 || now.values() == 0) {
            return;
        }
        var kind = kindOf(before.types(), now.types());
        if (kind != null) {
            found.add(new ShapeDifference(path, kind, before.types(), now.types()));
            return;
        }
        for (var field : before.fields().entrySet()) {
            compareField(join(path, field.getKey()), field.getKey(), before, now, limit, found);
        }
        if (!before.elements().isEmpty() && !now.elements().isEmpty()) {
            compare(path + "[]", before.elements().getFirst(), now.elements().getFirst(), limit, found);
        }
        if (before.objects() == 0 || before.isUnread()) {
            return;
        }
        for (var field : now.fields().entrySet()) {
            if (found.size() < limit && !before.fields().containsKey(field.getKey())) {
                var types = field.getValue().types();
                found.add(new ShapeDifference(join(path, field.getKey()), Kind.NEW_FIELD, Set.of(), types));
            }
        }
    }

    private static void compareField(
            String path, String name, Position before, Position now, int limit, List<ShapeDifference> found) {
        if (found.size() >= limit) {
            return;
        }
        var former = before.fields().get(name);
        var present = now.fields().get(name);
        var wasAlways = former.values() == before.objects() && !before.isUnread();
        var isMissing = present == null ? now.objects() > 0 : present.values() < now.objects();
        if (wasAlways && isMissing && !now.isUnread()) {
            found.add(new ShapeDifference(path, Kind.MISSING_FIELD, former.types(), Set.of()));
        } else if (present != null) {
            compare(path, former, present, limit, found);
        }
    }

    private static Kind kindOf(Set<DataShape.Type> before, Set<DataShape.Type> now) {
        if (now.contains(DataShape.Type.NULL) && !before.contains(DataShape.Type.NULL)) {
            return Kind.NULL_VALUE;
        }
        if (now.contains(DataShape.Type.EMPTY_LIST)
                && !before.contains(DataShape.Type.EMPTY_LIST)
                && before.contains(DataShape.Type.LIST)) {
            return Kind.EMPTY_LIST;
        }
        return now.stream().allMatch(type -> isKnown(type, before)) ? null : Kind.OTHER_TYPE;
    }

    /** Lists and empty lists are one type here. Former values that were all null do not determine a type. */
    private static boolean isKnown(DataShape.Type type, Set<DataShape.Type> before) {
        return before.contains(type)
                || type == DataShape.Type.NULL
                || type == DataShape.Type.EMPTY_LIST && before.contains(DataShape.Type.LIST)
                || type == DataShape.Type.LIST && before.contains(DataShape.Type.EMPTY_LIST)
                || before.equals(Set.of(DataShape.Type.NULL));
    }

    private static String join(String path, String name) {
        if (!PLAIN_NAME.matcher(name).matches()) {
            return path + "['" + name.replace("\\", "\\\\").replace("'", "\\'") + "']";
        }
        return path.isEmpty() ? name : path + "." + name;
    }

    public ObjectNode toJson() {
        return Json.object()
                .put("path", path)
                .put("kind", kind.text())
                .put("before", text(before))
                .put("now", text(now));
    }

    private static String text(Set<DataShape.Type> types) {
        return types.isEmpty()
                ? "absent"
                : types.stream()
                        .sorted()
                        .map(type -> type.name().toLowerCase(Locale.ROOT).replace('_', ' '))
                        .collect(Collectors.joining(" or "));
    }
}
