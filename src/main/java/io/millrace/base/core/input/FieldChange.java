package io.millrace.base.core.input;

import java.util.function.Consumer;

/**
 * Change of one field by an update: none, or a new value that may be null. Absent and null differ.
 *
 * @param <T> type of the field
 */
public sealed interface FieldChange<T> {
    record Keep<T>() implements FieldChange<T> {}

    /** The body named the field; the value may be null where the field allows it. */
    record To<T>(T value) implements FieldChange<T> {}

    static <T> FieldChange<T> keep() {
        return new Keep<>();
    }

    static <T> FieldChange<T> to(T value) {
        return new To<>(value);
    }

    default T or(T current) {
        return switch (this) {
            case Keep<T> _ -> current;
            case To<T>(var value) -> value;
        };
    }

    default boolean isNamed() {
        return this instanceof To<T>;
    }

    default void ifNamed(Consumer<T> action) {
        if (this instanceof To<T>(var value)) {
            action.accept(value);
        }
    }
}
