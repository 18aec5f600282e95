package io.millrace.base.persistence.statement;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.function.Function;

/**
 * Values of the domain as parameters of a statement. {@link #tuple} converts single values by itself; a column of an
 * UNNEST, or the list in {@code = any($1)}, is made by one of the other methods, because the type of an empty list is
 * unknown.
 */
public final class Values {
    private Values() {}

    public static Tuple tuple(Object... values) {
        var tuple = Tuple.tuple();
        for (var value : values) {
            tuple.addValue(converted(value));
        }
        return tuple;
    }

    public static <T> String[] texts(Collection<T> rows, Function<T, String> column) {
        return filled(new String[rows.size()], rows, column);
    }

    public static String[] texts(Collection<String> texts) {
        return texts.toArray(String[]::new);
    }

    /** A text[] parameter of JSON texts; the statement casts each element to jsonb. */
    public static <T> String[] jsons(Collection<T> rows, Function<T, JsonNode> column) {
        return rows.stream()
                .map(column)
                .map(value -> value == null ? null : Json.text(value))
                .toArray(String[]::new);
    }

    public static <T> Long[] wholes(Collection<T> rows, Function<T, Long> column) {
        return filled(new Long[rows.size()], rows, column);
    }

    public static <T> Integer[] integers(Collection<T> rows, Function<T, Integer> column) {
        return filled(new Integer[rows.size()], rows, column);
    }

    public static <T> Boolean[] flags(Collection<T> rows, Function<T, Boolean> column) {
        return filled(new Boolean[rows.size()], rows, column);
    }

    public static <T> OffsetDateTime[] instants(Collection<T> rows, Function<T, Instant> column) {
        return filled(new OffsetDateTime[rows.size()], rows, row -> timestamp(column.apply(row)));
    }

    public static <T> Buffer[] buffers(Collection<T> rows, Function<T, Buffer> column) {
        return filled(new Buffer[rows.size()], rows, column);
    }

    /** In a plain loop: the columns of a commit are made for every call of a flow. */
    static <T, V> V[] filled(V[] values, Collection<T> rows, Function<T, V> column) {
        var next = 0;
        for (var row : rows) {
            values[next++] = column.apply(row);
        }
        return values;
    }

    private static Object converted(Object value) {
        return switch (value) {
            case null -> null;
            case Optional<?> optional -> converted(optional.orElse(null));
            case Instant instant -> timestamp(instant);
            case byte[] bytes -> Buffer.buffer(bytes);
            case Enum<?> constant -> constant.name();
            case JsonNode json -> jsonValue(json);
            case Collection<?> _ ->
                throw new IllegalArgumentException("expected an array made by Values, found a collection");
            default -> value;
        };
    }

    /**
     * The client accepts its own types for jsonb and passes them to the mapper, which also supports ours: one shallow
     * wrapping is enough at any depth of the tree.
     */
    private static Object jsonValue(JsonNode json) {
        return switch (json.getNodeType()) {
            case OBJECT -> {
                var fields = new LinkedHashMap<String, Object>();
                json.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
                yield new JsonObject(fields);
            }
            case ARRAY -> {
                var elements = new ArrayList<Object>();
                json.elements().forEachRemaining(elements::add);
                yield new JsonArray(elements);
            }
            case STRING -> json.textValue();
            case NUMBER -> json.numberValue();
            case BOOLEAN -> json.booleanValue();
            case NULL -> Tuple.JSON_NULL;
            case MISSING, BINARY, POJO ->
                throw new IllegalArgumentException("expected a JSON value, found a node of type " + json.getNodeType());
        };
    }

    /** PostgreSQL keeps microseconds; cutting here keeps a written instant equal to the one read back. */
    static OffsetDateTime timestamp(Instant instant) {
        return instant == null ? null : instant.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }
}
