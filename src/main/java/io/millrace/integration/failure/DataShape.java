package io.millrace.integration.failure;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Shape of JSON values: the types at each path, and the fields that each object has. All elements of a list share one path,
 * and the values of several runs or iterations one shape. Contains no values. Bounded in depth, elements and paths; an
 * unread part never counts as a difference.
 */
public final class DataShape {
    static final int DEPTH_MAX = 32;
    static final int ELEMENTS_MAX = 200;
    static final int PATHS_MAX = 2_000;

    public enum Type {
        NULL,
        BOOLEAN,
        NUMBER,
        TEXT,
        EMPTY_LIST,
        LIST,
        OBJECT
    }

    private final Position root = new Position();
    private int paths = 1;
    private boolean complete = true;

    private DataShape() {}

    public static DataShape of(List<JsonNode> values) {
        var shape = new DataShape();
        values.forEach(value -> shape.add(shape.root, value, 0));
        return shape;
    }

    /** Returns whether every value fitted into the bounds. */
    public boolean isComplete() {
        return complete;
    }

    Position root() {
        return root;
    }

    static final class Position {
        private final Set<Type> types = EnumSet.noneOf(Type.class);
        private final Map<String, Position> fields = new LinkedHashMap<>();
        private final List<Position> elements = new ArrayList<>(1);
        private int values;
        private int objects;
        private boolean unread;

        Set<Type> types() {
            return types;
        }

        Map<String, Position> fields() {
            return fields;
        }

        /** The common position of all elements of lists; empty without any. */
        List<Position> elements() {
            return elements;
        }

        int objects() {
            return objects;
        }

        int values() {
            return values;
        }

        boolean isUnread() {
            return unread;
        }
    }

    private void add(Position position, JsonNode value, int depth) {
        position.values++;
        position.types.add(typeOf(value));
        if (value.isContainerNode() && depth == DEPTH_MAX) {
            leaveOut(position);
        } else if (value.isObject()) {
            position.objects++;
            for (var field : value.properties()) {
                addField(position, field.getKey(), field.getValue(), depth);
            }
        } else if (value.isArray()) {
            addElements(position, value, depth);
        }
    }

    private void addField(Position position, String name, JsonNode value, int depth) {
        var field = position.fields.get(name);
        if (field == null) {
            if (paths == PATHS_MAX) {
                leaveOut(position);
                return;
            }
            paths++;
            field = new Position();
            position.fields.put(name, field);
        }
        add(field, value, depth + 1);
    }

    private void addElements(Position position, JsonNode list, int depth) {
        if (list.size() > ELEMENTS_MAX) {
            leaveOut(position);
        }
        if (!list.isEmpty() && position.elements.isEmpty()) {
            if (paths == PATHS_MAX) {
                leaveOut(position);
                return;
            }
            paths++;
            position.elements.add(new Position());
        }
        for (var index = 0; index < Math.min(list.size(), ELEMENTS_MAX); index++) {
            add(position.elements.getFirst(), list.get(index), depth + 1);
        }
    }

    private void leaveOut(Position position) {
        position.unread = true;
        complete = false;
    }

    private static Type typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case NULL, MISSING -> Type.NULL;
            case BOOLEAN -> Type.BOOLEAN;
            case NUMBER -> Type.NUMBER;
            case STRING, BINARY, POJO -> Type.TEXT;
            case ARRAY -> value.isEmpty() ? Type.EMPTY_LIST : Type.LIST;
            case OBJECT -> Type.OBJECT;
        };
    }
}
