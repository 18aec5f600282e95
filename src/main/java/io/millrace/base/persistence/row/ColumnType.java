package io.millrace.base.persistence.row;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.desc.ColumnDescriptor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The columns that a component of a record takes, and the conversion of their values.
 *
 * @param names types of the database, as the client names them
 * @param value converts a decoded value of the client
 */
record ColumnType(Set<String> names, Function<Object, Object> value) {
    private static final Set<String> TEXTS = Set.of("TEXT", "VARCHAR", "BPCHAR", "NAME");
    private static final Set<String> TEXT_ARRAYS = Set.of("TEXT_ARRAY", "VARCHAR_ARRAY", "NAME_ARRAY");

    private static final ColumnType TEXT = new ColumnType(TEXTS, text -> (String) text);
    private static final ColumnType FLAG = new ColumnType(Set.of("BOOL"), flag -> (Boolean) flag);
    private static final ColumnType INTEGER =
            new ColumnType(Set.of("INT4", "INT2"), number -> ((Number) number).intValue());
    private static final ColumnType WHOLE =
            new ColumnType(Set.of("INT8", "INT4", "INT2"), number -> ((Number) number).longValue());
    private static final ColumnType NUMBER =
            new ColumnType(Set.of("FLOAT8", "FLOAT4", "NUMERIC"), number -> ((Number) number).doubleValue());

    private static final Map<Class<?>, ColumnType> OF_CLASS = Map.ofEntries(
            Map.entry(String.class, TEXT),
            Map.entry(boolean.class, FLAG),
            Map.entry(Boolean.class, FLAG),
            Map.entry(int.class, INTEGER),
            Map.entry(Integer.class, INTEGER),
            Map.entry(long.class, WHOLE),
            Map.entry(Long.class, WHOLE),
            Map.entry(double.class, NUMBER),
            Map.entry(Double.class, NUMBER),
            Map.entry(
                    Instant.class, new ColumnType(Set.of("TIMESTAMPTZ"), time -> ((OffsetDateTime) time).toInstant())),
            Map.entry(Buffer.class, new ColumnType(Set.of("BYTEA"), bytes -> (Buffer) bytes)),
            Map.entry(JsonNode.class, new ColumnType(TEXTS, json -> Json.trusted((String) json))),
            Map.entry(ObjectNode.class, new ColumnType(TEXTS, json -> (ObjectNode) Json.trusted((String) json))),
            Map.entry(ArrayNode.class, new ColumnType(TEXTS, json -> (ArrayNode) Json.trusted((String) json))));

    /** The type of a component without its {@link Optional}; empty when a column cannot have its value. */
    static Optional<ColumnType> of(Type type) {
        if (type instanceof Class<?> plain) {
            return plain.isEnum()
                    ? Optional.of(new ColumnType(TEXTS, name -> option(plain, (String) name)))
                    : Optional.ofNullable(OF_CLASS.get(plain));
        }
        return type instanceof ParameterizedType many && many.getRawType() == List.class
                ? elements(many.getActualTypeArguments()[0])
                : Optional.empty();
    }

    boolean accepts(ColumnDescriptor column) {
        return names.contains(column.typeName());
    }

    private static Optional<ColumnType> elements(Type element) {
        if (element == String.class) {
            return Optional.of(new ColumnType(TEXT_ARRAYS, texts -> List.of((String[]) texts)));
        }
        return element instanceof Class<?> plain && plain.isEnum()
                ? Optional.of(new ColumnType(
                        TEXT_ARRAYS,
                        names -> Arrays.stream((String[]) names)
                                .map(name -> option(plain, name))
                                .toList()))
                : Optional.empty();
    }

    private static Object option(Class<?> type, String name) {
        for (var constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("expected a constant of " + type.getSimpleName() + ", found " + name);
    }
}
