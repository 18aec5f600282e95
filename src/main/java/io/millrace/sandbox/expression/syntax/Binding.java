package io.millrace.sandbox.expression.syntax;

import java.util.List;
import java.util.Set;

/** Target of a parameter of an arrow function: the names that it declares. */
public sealed interface Binding {
    /** The whole argument. */
    record Name(String name) implements Binding {}

    /** The elements of a list, by position. */
    record Elements(List<Binding> elements) implements Binding {}

    /** The properties of an object, by name. */
    record ObjectPattern(List<Field> fields) implements Binding {}

    /** One property. */
    record Field(String key, Binding target) {}

    /** The remaining arguments, elements or properties. */
    record Rest(Binding target) implements Binding {}

    /** Collects the names that are given. */
    default void names(Set<String> into) {
        switch (this) {
            case Name(var name) -> into.add(name);
            case Elements(var elements) -> elements.forEach(element -> element.names(into));
            case ObjectPattern(var fields) ->
                fields.forEach(field -> field.target().names(into));
            case Rest(var target) -> target.names(into);
        }
    }
}
