package io.millrace.base.persistence.row;

import io.millrace.base.core.Nullable;
import io.vertx.sqlclient.Row;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The columns of a record, and of the records in it, in the order in which their indexes are passed to {@link #read}. */
final class RecordColumns {
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    /** Result for null in the database. */
    private enum Absence {
        DEFECT,
        NULL,
        EMPTY
    }

    record Column(String name, ColumnType type, String component, Absence absence) {}

    private sealed interface Slot {}

    private record ColumnSlot(int number, Column column) implements Slot {}

    private record RecordSlot(RecordColumns shape, Absence absence) implements Slot {}

    private final Class<?> type;
    private final List<Column> columns;
    private final int first;
    private final int end;
    private final Slot[] slots;
    private final Function<Object[], Object> maker;

    private RecordColumns(Class<?> type, String prefix, List<Column> columns) {
        this.type = type;
        this.columns = columns;
        this.first = columns.size();
        this.slots = Arrays.stream(type.getRecordComponents())
                .map(component -> slot(component, prefix))
                .toArray(Slot[]::new);
        this.end = columns.size();
        this.maker = RecordMaker.of(type);
    }

    /** Fails for a record with a component that no column can fill. */
    static RecordColumns of(Class<?> type) {
        return new RecordColumns(type, "", new ArrayList<>());
    }

    List<Column> columns() {
        return columns;
    }

    /** @param indexes index in the row of each of {@link #columns} */
    Object read(Row row, int[] indexes) {
        var values = new Object[slots.length];
        for (var number = 0; number < values.length; number++) {
            values[number] = switch (slots[number]) {
                case ColumnSlot(var column, var of) -> value(row.getValue(indexes[column]), of);
                case RecordSlot(var shape, var absence) -> part(shape, absence, row, indexes);
            };
        }
        return maker.apply(values);
    }

    private Object part(RecordColumns shape, Absence absence, Row row, int[] indexes) {
        return switch (absence) {
            case DEFECT -> shape.read(row, indexes);
            case NULL -> shape.isAbsent(row, indexes) ? null : shape.read(row, indexes);
            case EMPTY -> shape.isAbsent(row, indexes) ? Optional.empty() : Optional.of(shape.read(row, indexes));
        };
    }

    private boolean isAbsent(Row row, int[] indexes) {
        for (var column = first; column < end; column++) {
            if (row.getValue(indexes[column]) != null) {
                return false;
            }
        }
        return true;
    }

    private Object value(Object raw, Column column) {
        if (raw == null) {
            return switch (column.absence()) {
                case DEFECT ->
                    throw new IllegalStateException(
                            named(column) + ": expected a value, found null; mark the component as @Nullable");
                case NULL -> null;
                case EMPTY -> Optional.empty();
            };
        }
        try {
            var value = column.type().value().apply(raw);
            return column.absence() == Absence.EMPTY ? Optional.of(value) : value;
        } catch (ClassCastException | IllegalArgumentException mismatch) {
            throw new IllegalStateException(named(column) + ": " + mismatch.getMessage(), mismatch);
        }
    }

    static String named(Column column) {
        return "column " + column.name() + " of " + column.component();
    }

    private Slot slot(RecordComponent component, String prefix) {
        var isOptional = component.getType() == Optional.class;
        var of = isOptional
                ? ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0]
                : component.getGenericType();
        var absence = isOptional
                ? Absence.EMPTY
                : component.isAnnotationPresent(Nullable.class) ? Absence.NULL : Absence.DEFECT;
        var place = type.getSimpleName() + "." + component.getName();
        var name = prefix + HUMP.matcher(component.getName()).replaceAll("_").toLowerCase(Locale.ROOT);
        if (absence == Absence.NULL && component.getType().isPrimitive()) {
            throw new IllegalArgumentException(place + ": expected a type that has null, found a primitive one");
        }
        if (of instanceof Class<?> inner && inner.isRecord()) {
            var isUnprefixed = component.isAnnotationPresent(Unprefixed.class);
            return new RecordSlot(new RecordColumns(inner, isUnprefixed ? prefix : name + "_", columns), absence);
        }
        return column(new Column(name, columnType(of, place), place, absence));
    }

    private static ColumnType columnType(Type of, String place) {
        return ColumnType.of(of)
                .orElseThrow(() -> new IllegalArgumentException(
                        place + ": expected a type that a column can have, found " + of.getTypeName()));
    }

    private Slot column(Column column) {
        columns.stream().filter(other -> other.name().equals(column.name())).forEach(other -> {
            throw new IllegalArgumentException(
                    column.component() + ": expected a column of its own, found " + named(other));
        });
        columns.add(column);
        return new ColumnSlot(columns.size() - 1, column);
    }
}
